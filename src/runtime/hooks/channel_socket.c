#include "runtime/hooks/channel_socket.h"
#include "runtime/hooks/order_object.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* -- Pairs -------------------------------------------------------------------

   Their ends have no addresses, so each pair is stored by its inodes. A pair
   that does not fit into the table counts as connected to the outside. */
typedef struct pair {
  uint64_t a, b; /* 0: free */
} pair;

enum { PAIRS = 4096 };
static pair pairs[PAIRS];
static unsigned pairs_used;

static uint64_t
inode_of (int fd)
{
  struct stat info;
  return fstat (fd, &info) ? 0 : info.st_ino;
}

static const void *
pair_object (uint64_t inode)
{
  return omen_order_object (OMEN_ORDER_PAIR, inode, 0);
}

void
omen_socket_pair (const int fds[2], uint32_t since)
{
  unsigned slot = __atomic_load_n (&pairs_used, __ATOMIC_RELAXED);
  if (slot < PAIRS)
    slot = __atomic_fetch_add (&pairs_used, 1, __ATOMIC_RELAXED);
  if (slot >= PAIRS)
    return;
  uint64_t a = inode_of (fds[0]), b = inode_of (fds[1]);
  omen_order_know (pair_object (a), since);
  omen_order_know (pair_object (b), since);
  __atomic_store_n (&pairs[slot].a, a, __ATOMIC_RELEASE);
  __atomic_store_n (&pairs[slot].b, b, __ATOMIC_RELEASE);
}

static uint64_t
other_end (uint64_t inode)
{
  unsigned used = __atomic_load_n (&pairs_used, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < PAIRS && i < used; i++) {
    uint64_t b = __atomic_load_n (&pairs[i].b, __ATOMIC_ACQUIRE);
    uint64_t a = __atomic_load_n (&pairs[i].a, __ATOMIC_ACQUIRE);
    if (b && (a == inode || b == inode))
      return a == inode ? b : a;
  }
  return 0;
}

/* -- Addresses ----------------------------------------------------------- */

static uint64_t
hash_address (const struct sockaddr_storage *address, socklen_t length)
{
  uint64_t hash = length;
  const unsigned char *bytes = (const unsigned char *)address;
  for (socklen_t i = 0; i < length && i < sizeof *address; i++)
    hash = (hash ^ bytes[i]) * UINT64_C (0x100000001b3);
  return hash;
}

static uint64_t
address_of (int fd, bool peer)
{
  struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
  socklen_t length = sizeof address;
  int failed = peer ? getpeername (fd, (struct sockaddr *)&address, &length)
                    : getsockname (fd, (struct sockaddr *)&address, &length);
  bool nameless = address.ss_family == AF_UNIX
                  && length <= offsetof (struct sockaddr_un, sun_path);
  return failed || nameless ? 0 : hash_address (&address, length);
}

/* A datagram may come from any sender, and several sockets may have one
   address. */
static bool
is_stream (int fd)
{
  int type = 0;
  socklen_t length = sizeof type;
  return !getsockopt (fd, SOL_SOCKET, SO_TYPE, &type, &length)
         && type == SOCK_STREAM;
}

const void *
omen_socket_object (int fd, uint64_t inode, bool writing, bool *is_pair)
{
  uint64_t other = other_end (inode);
  *is_pair = other;
  if (other)
    return pair_object (writing ? inode : other);
  uint64_t here = address_of (fd, false), there = address_of (fd, true);
  if (!here || !there || !is_stream (fd))
    return NULL;
  return omen_order_object (OMEN_ORDER_SOCKET, writing ? here : there,
                            writing ? there : here);
}
