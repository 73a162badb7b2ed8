/* A fork server for running a program many times: the program is started once
   and stops here, before main; each run is a forked child.

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
/* A thread read a clock into `to`. If the value only serves as the deadline of
   a wait, the run does not depend on it, since a wait may time out at any point
   anyway. */
void omen_serve_clock (const void *to);
void omen_serve_deadline (const void *at);

#endif
