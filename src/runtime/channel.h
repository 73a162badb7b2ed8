/* Pipes, sockets and eventfds order threads: what came before a write comes
   before what follows the read that got it. Each is an object for
   HAPPENS_BEFORE and HAPPENS_AFTER, the same from both ends, one for each
   direction:

     pipe, fifo           its inode
     connected sockets    the two addresses, in the direction of the bytes
     socketpair           the inode of the end that writes
     eventfd and the like the descriptor's number
     signal               its number: before it is sent, when it is handled
     cancellation         the thread: before it is sent, when that unwinds */
#ifndef OMEN_RUNTIME_CHANNEL_H
#define OMEN_RUNTIME_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

/* Before a write or close, after a read that got something; nothing for
   descriptors of other kinds. */
void omen_channel_before (int fd, uint64_t pc);
void omen_channel_after (int fd, uint64_t pc);
/* The object of a signal that the program sends to itself. */
const void *omen_channel_signal (int number);
/* The object of the cancellation of a thread. */
const void *omen_channel_cancel (uint32_t thread);
/* Two ends made by socketpair. */
void omen_channel_pair (const int fds[2]);

#endif
