/* Communication through the kernel orders threads: what precedes a write
   happens before what follows the read that returns its data. The peer is
   mostly unknown, and may be a program that another thread of this one has
   written to. So one object, *outside*, stands for all unknown peers: output of
   any kind is logged as HAPPENS_BEFORE on it, input and waits for something
   from outside as HAPPENS_AFTER.

   Where both ends are within the process the channel has an object of its own
   for each direction, and orders only the threads that use it:

     pipe                 its inode, if this process made it
     socketpair           the inode of the end that writes, likewise
     connected sockets    the two addresses, if both ends are seen to be here
     eventfd              the descriptor's number, if it was never duplicated
     signal               its number: before it is sent, when it is handled
     cancellation         the thread: before it is sent, when that unwinds

   That holds until other processes (fork, descriptors that are sent) or epoll
   may use the descriptor: from then on writes are logged as HAPPENS_BEFORE on
   outside, and reads as HAPPENS_AFTER on both objects.

   Files and terminals: output goes to outside. Input is ordered after nothing,
   except that a file which the program itself wrote is read after all output.

   A replay counts notes, and its first three descriptors may be connected to
   something else: these have one note for each call, whatever they are. */
#ifndef OMEN_RUNTIME_HOOKS_CHANNEL_H
#define OMEN_RUNTIME_HOOKS_CHANNEL_H

#include "runtime/hooks/order_object.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Before output and before a close; after input. Nothing if recording is
   disabled. */
void omen_channel_before (int fd, uint64_t pc);
void omen_channel_after (int fd, uint64_t pc);
/* The same for a stream. */
void omen_channel_file_before (FILE *file, uint64_t pc);
void omen_channel_file_after (FILE *file, uint64_t pc);
/* Before and after calls that exchange something with the outside, but not
   through a descriptor. */
void omen_outside_before (uint64_t pc);
void omen_outside_after (uint64_t pc);

/* HAPPENS_BEFORE and HAPPENS_AFTER of an object of order_object.h. */
void omen_order_before (enum omen_order_kind kind, uint64_t a, uint64_t pc);
void omen_order_after (enum omen_order_kind kind, uint64_t a, uint64_t pc);
/* A signal was taken, by a handler or sigwait. */
void omen_channel_signalled (const siginfo_t *info, uint64_t pc);

/* Both ends are this process's. */
void omen_channel_pipe (const int fds[2]);
void omen_channel_pair (const int fds[2]);
void omen_channel_eventfd (int fd);
/* From now on other processes have this process's descriptors. */
void omen_channel_share (void);
bool omen_channel_is_shared (void);
/* The file is mapped: whoever writes to it from now on changes memory. */
void omen_channel_mapped (uint64_t device, uint64_t inode);
/* An epoll instance watches it; its events do not say which descriptor they are
   about. */
void omen_channel_watch (int fd, uint64_t pc);
/* The descriptor was closed, or its number means something else now; -1: any
   may. */
void omen_channel_closed (int fd);
void omen_channel_duplicated (void);

#endif
