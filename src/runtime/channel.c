#include "runtime/channel.h"
#include "runtime/hook.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* -- Objects -----------------------------------------------------------------

   Addresses beyond any of a program, given in the order of first use: inodes
   differ from run to run. Once the table is full, by their hash. */
enum { KEYS = 4096 };
static uint64_t keys[KEYS];      /* 0: free */
static uint32_t ordinals[KEYS];  /* 0: being given */
static uint32_t ordinals_given;

static const uint64_t beyond = UINT64_C (0x8) << 60;

/* Not for ever: in the child of a fork nobody may be left to give it. */
static uint64_t
wait_for_ordinal (unsigned slot, uint64_t key)
{
  uint32_t ordinal = 0;
  for (int i = 0; !ordinal && i < 1 << 20; i++)
    ordinal = __atomic_load_n (&ordinals[slot], __ATOMIC_ACQUIRE);
  return ordinal ? ordinal : key;
}

static uint64_t
ordinal_of (uint64_t key)
{
  for (unsigned i = 0; i < KEYS; i++) {
    unsigned slot = (unsigned)(key + i) % KEYS;
    uint64_t seen = 0;
    if (__atomic_compare_exchange_n (&keys[slot], &seen, key, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      uint32_t next
          = __atomic_add_fetch (&ordinals_given, 1, __ATOMIC_RELAXED);
      __atomic_store_n (&ordinals[slot], next, __ATOMIC_RELEASE);
      return next;
    }
    if (seen == key)
      return wait_for_ordinal (slot, key);
  }
  return key;
}

static const void *
object_of (uint64_t kind, uint64_t a, uint64_t b)
{
  uint64_t mix = (a * UINT64_C (0x9e3779b97f4a7c15)) ^ (b + kind);
  mix *= UINT64_C (0xc2b2ae3d27d4eb4f);
  mix = (mix ^ mix >> 29) >> 8;
  return (const void *)(uintptr_t)(ordinal_of (mix | 1) << 4 | beyond);
}

/* -- Socket pairs ------------------------------------------------------------

   Their ends have no addresses, so who belongs to whom is written down, by
   inode. A slot is taken over when the table is full: then an old pair orders
   nothing any more. */
typedef struct pair {
  uint64_t a, b; /* 0: free */
} pair;

enum { PAIRS = 1024 };
static pair pairs[PAIRS];
static unsigned pairs_used;

static uint64_t
inode_of (int fd)
{
  struct stat info;
  return fstat (fd, &info) ? 0 : info.st_ino;
}

void
omen_channel_pair (const int fds[2])
{
  unsigned slot = __atomic_fetch_add (&pairs_used, 1, __ATOMIC_RELAXED);
  pair *p = &pairs[slot % PAIRS];
  __atomic_store_n (&p->a, inode_of (fds[0]), __ATOMIC_RELAXED);
  __atomic_store_n (&p->b, inode_of (fds[1]), __ATOMIC_RELEASE);
}

static uint64_t
other_end (uint64_t inode)
{
  unsigned used = __atomic_load_n (&pairs_used, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < PAIRS && i < used; i++) {
    uint64_t a = __atomic_load_n (&pairs[i].a, __ATOMIC_RELAXED);
    uint64_t b = __atomic_load_n (&pairs[i].b, __ATOMIC_RELAXED);
    if (a == inode || b == inode)
      return a == inode ? b : a;
  }
  return 0;
}

/* -- Addresses ---------------------------------------------------------------- */

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

static const void *
socket_object (int fd, uint64_t inode, bool writing)
{
  uint64_t other = other_end (inode);
  if (other)
    return object_of (S_IFSOCK, writing ? inode : other, 0);
  uint64_t here = address_of (fd, false), there = address_of (fd, true);
  if (!here || !there)
    return NULL;
  return writing ? object_of (S_IFSOCK, here, there)
                 : object_of (S_IFSOCK, there, here);
}

/* NULL: it orders nothing. */
static const void *
find_object (int fd, bool writing)
{
  struct stat info;
  if (fstat (fd, &info))
    return NULL;
  switch (info.st_mode & S_IFMT) {
  case S_IFIFO:
    return object_of (S_IFIFO, info.st_ino, info.st_dev);
  case S_IFSOCK:
    return socket_object (fd, info.st_ino, writing);
  case 0: /* anonymous: eventfd, timerfd, epoll, … share one inode */
    return object_of (1, (uint64_t)fd, 0);
  default:
    return NULL;
  }
}

static void
note (enum omen_item_kind kind, int fd, uint64_t pc)
{
  int saved = errno;
  if (!omen_listening ())
    return;
  omen_quiet_begin ();
  const void *object = find_object (fd, kind == OMEN_ITEM_HAPPENS_BEFORE);
  omen_quiet_end ();
  errno = saved;
  if (object)
    omen_log_now (kind, object, 0, pc);
}

void
omen_channel_before (int fd, uint64_t pc)
{
  note (OMEN_ITEM_HAPPENS_BEFORE, fd, pc);
}

void
omen_channel_after (int fd, uint64_t pc)
{
  note (OMEN_ITEM_HAPPENS_AFTER, fd, pc);
}

const void *
omen_channel_signal (int number)
{
  return object_of (2, (uint64_t)number, 0);
}

const void *
omen_channel_cancel (uint32_t thread)
{
  return object_of (3, thread, 0);
}
