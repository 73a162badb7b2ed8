/* A fork server for running a program many times: it is started once, up
   to here, and each run is the child of a fork.

   The option --serve=FD says on which socket requests come: the length (4
   bytes) and the text of the options of one run. Answered are the child's
   process id, when there is one (4 bytes), and how it ended (omen_served).
   Before the latter all that the run has started ends, too. The server ends
   when the other end of the socket closes, and its child with it. */
#ifndef OMEN_RUNTIME_CORE_SERVE_H
#define OMEN_RUNTIME_CORE_SERVE_H

#include "wire/serve.h"

/* Returns in each child, with its options. NULL: there is no socket, and the
   program runs as if it had no options. */
const char *omen_serve (int fd);

/* A run that was asked for depends on this (omen_served_depends); nothing in
   other programs. */
void omen_serve_depends (unsigned what);
/* A thread read a clock into `to`. Where that is a deadline in the end it only
   says when a wait runs out, which it may at any time anyway. */
void omen_serve_clock (const void *to);
void omen_serve_deadline (const void *at);

#endif
