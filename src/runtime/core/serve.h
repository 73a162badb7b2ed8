/* A fork server for those who run a program many times: it is started once, up
   to here, and each run is the child of a fork.

   The option --serve=FD says on which socket requests come: the length (4
   bytes) and the text of the options of one run. Answered are the child's
   process id, when there is one, and how it ended (both 4 bytes). Before the
   latter all that the run has started ends, too. The server ends when the other
   end of the socket closes, and its child with it. */
#ifndef OMEN_RUNTIME_CORE_SERVE_H
#define OMEN_RUNTIME_CORE_SERVE_H

/* Returns in each child, with its options. NULL: there is no socket, and the
   program runs as if it had no options. */
const char *omen_serve (int fd);

#endif
