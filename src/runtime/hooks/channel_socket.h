/* The objects of sockets, one for each direction: for a pair the inode of the
   writing end, for a connection its two addresses. */
#ifndef OMEN_RUNTIME_HOOKS_CHANNEL_SOCKET_H
#define OMEN_RUNTIME_HOOKS_CHANNEL_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

/* NULL: the other end is not known. *is_pair: it was made by socketpair. */
const void *omen_socket_object (int fd, uint64_t inode, bool writing,
                                bool *is_pair);
/* The two ends made by socketpair: both objects are known from now on. */
void omen_socket_pair (const int fds[2], uint32_t since);

#endif
