#include "runtime/hooks/atomic.h"
#include "runtime/core/core.h"
#include "runtime/hooks/channel.h"
#include "runtime/core/call.h"
#include "runtime/hooks/channel_socket.h"
#include "runtime/hooks/hook.h"
#include "runtime/hooks/map.h"

#include <sys/stat.h>

/* Whom a descriptor is connected to, in one direction. */
typedef enum party {
  NO_PEER,
  OUTSIDE,
  WITHIN, /* its object alone */
  BOTH    /* it was WITHIN once */
} party;

typedef struct channel {
  party party;
  const void *object; /* of WITHIN and BOTH */
} channel;

/* How often descriptors may have reached other processes, plus 1. */
static uint32_t shares = 1, duplications = 1;
static bool numbers_known; /* are facts stored about descriptor numbers? */

/* -- What was found out ------------------------------------------------------

   A word for each descriptor and direction: generation, object, party. It
   counts while the generation does, which ends when any descriptor gets another
   meaning. */
enum { CACHED = 1024 };
static uint64_t cache[2][CACHED];
static uint32_t generation = 1;

static void
forget_all (void)
{
  __atomic_add_fetch (&generation, 1, __ATOMIC_ACQ_REL);
}

static bool
is_cached (int fd, bool writing, uint32_t now, channel *found)
{
  if (fd >= CACHED)
    return false;
  uint64_t word = __atomic_load_n (&cache[writing][fd], __ATOMIC_ACQUIRE);
  if (word >> 32 != now)
    return false;
  found->party = (party)(word & 3);
  found->object = omen_order_nth_object ((uint32_t)word >> 2);
  return true;
}

static void
put_into_cache (int fd, bool writing, uint32_t now, channel found)
{
  uint32_t nth = found.object ? omen_order_nth (found.object) : 0;
  if (fd >= CACHED || (found.object && !nth))
    return;
  uint64_t word = (uint64_t)now << 32 | (uint64_t)nth << 2 | found.party;
  __atomic_store_n (&cache[writing][fd], word, __ATOMIC_RELEASE);
}

/* -- Finding out --------------------------------------------------------- */

/* The fact about the object holds while the count is still the one it was
   stored with; afterwards its readers may have peers on either side. */
static channel
ours_while (const void *object, uint32_t now, bool writing)
{
  uint32_t since = omen_order_known (object);
  if (since && since == now)
    return (channel){ WITHIN, object };
  return (channel){ since && !writing ? BOTH : OUTSIDE, object };
}

/* A write by this process shows that this end belongs to it. */
static channel
find_socket (int fd, uint64_t inode, bool writing)
{
  bool pair;
  uint32_t now = __atomic_load_n (&shares, __ATOMIC_ACQUIRE);
  const void *object = omen_socket_object (fd, inode, writing, &pair);
  if (!object)
    return (channel){ OUTSIDE, NULL };
  if (!pair && writing && now == 1 && !omen_order_known (object)) {
    omen_order_know (object, now);
    forget_all ();
  }
  return ours_while (object, now, writing);
}

/* What is known of files. */
enum { WRITTEN = 1, WRITTEN_WHILE_MAPPED };

/* A write shows that the file is not only read. */
static channel
find_file (const struct stat *info, bool writing)
{
  const void *object
      = omen_order_object (OMEN_ORDER_FILE, info->st_ino, info->st_dev);
  uint32_t known = omen_order_known (object);
  if (writing && known != WRITTEN_WHILE_MAPPED) {
    bool mapped = omen_map_written (info->st_dev, info->st_ino);
    omen_order_know (object, mapped ? WRITTEN_WHILE_MAPPED : WRITTEN);
    if (!known)
      forget_all ();
  }
  return (channel){ writing || known ? OUTSIDE : NO_PEER, NULL };
}

static channel
find_out (int fd, const struct stat *info, bool writing)
{
  switch (info->st_mode & S_IFMT) {
  case S_IFIFO:
    return ours_while (
        omen_order_object (OMEN_ORDER_PIPE, info->st_ino, info->st_dev),
        __atomic_load_n (&shares, __ATOMIC_ACQUIRE), writing);
  case S_IFSOCK:
    return find_socket (fd, info->st_ino, writing);
  case S_IFREG:
    return find_file (info, writing);
  case 0: /* anonymous: eventfd, timerfd, signalfd, … share one inode */
    return ours_while (omen_order_object (OMEN_ORDER_EVENTFD, (uint64_t)fd, 0),
                       __atomic_load_n (&duplications, __ATOMIC_ACQUIRE),
                       writing);
  default:
    return (channel){ writing ? OUTSIDE : NO_PEER, NULL };
  }
}

static channel
find_channel (int fd, bool writing)
{
  channel found = { NO_PEER, NULL };
  struct stat info;
  uint32_t now = __atomic_load_n (&generation, __ATOMIC_ACQUIRE);
  if (fd < 0 || is_cached (fd, writing, now, &found))
    return found;
  int saved = errno;
  omen_quiet_begin ();
  if (!fstat (fd, &info)) {
    found = find_out (fd, &info, writing);
    put_into_cache (fd, writing, now, found);
  }
  omen_quiet_end ();
  errno = saved;
  return found;
}

/* -- Notes --------------------------------------------------------------- */

static void
note_channel (enum omen_item_kind kind, const void *object, uint64_t pc)
{
  int saved = errno;
  omen_log_now (kind, object, 0, pc);
  errno = saved;
}

void
omen_order_before (enum omen_order_kind kind, uint64_t a, uint64_t pc)
{
  if (omen_enabled ())
    note_channel (OMEN_ITEM_HAPPENS_BEFORE, omen_order_object (kind, a, 0), pc);
}

void
omen_order_after (enum omen_order_kind kind, uint64_t a, uint64_t pc)
{
  if (omen_enabled ())
    note_channel (OMEN_ITEM_HAPPENS_AFTER, omen_order_object (kind, a, 0), pc);
}

void
omen_outside_before (uint64_t pc)
{
  omen_order_before (OMEN_ORDER_OUTSIDE, 0, pc);
}

void
omen_outside_after (uint64_t pc)
{
  omen_order_after (OMEN_ORDER_OUTSIDE, 0, pc);
}

/* Logs a write to standard output as an atomic operation on a variable whose
   value identifies the writers so far. No other thread can write until it is
   done. */
static void
note_output (uint64_t pc)
{
  static uint64_t printed;
  static omen_site site = { .kind = OMEN_SITE_ATOMIC_RMW,
                            .size = sizeof printed,
                            .order = OMEN_SITE_SC };
  omen_sched_point (OMEN_ITEM_ATOMIC, &printed);
  uint64_t old = printed;
  printed = (old + omen_rt_self->id + 1) * UINT64_C (0x9e3779b97f4a7c15);
  omen_atomic_once (&(omen_atomic_access){ .addr = &printed,
                                           .site = &site,
                                           .pc = pc,
                                           .old = old,
                                           .value = printed });
}

void
omen_channel_before (int fd, uint64_t pc)
{
  if (!omen_enabled ())
    return;
  if (fd == STDOUT_FILENO && omen_rt_options.note_output && omen_rt_self)
    note_output (pc);
  channel to = find_channel (fd, true);
  if (to.party == WITHIN)
    note_channel (OMEN_ITEM_HAPPENS_BEFORE, to.object, pc);
  else if (to.party != NO_PEER)
    omen_outside_before (pc);
}

void
omen_channel_after (int fd, uint64_t pc)
{
  if (!omen_enabled ())
    return;
  channel from = find_channel (fd, false);
  if (from.party == WITHIN || from.party == BOTH)
    note_channel (OMEN_ITEM_HAPPENS_AFTER, from.object, pc);
  if (from.party == OUTSIDE || from.party == BOTH)
    omen_outside_after (pc);
  if (from.party == NO_PEER && fd <= 2)
    omen_order_after (OMEN_ORDER_NOTHING, 0, pc);
}

void
omen_channel_file_before (FILE *file, uint64_t pc)
{
  int saved = errno;
  omen_channel_before (fileno (file), pc);
  errno = saved;
}

void
omen_channel_file_after (FILE *file, uint64_t pc)
{
  int saved = errno;
  omen_channel_after (fileno (file), pc);
  errno = saved;
}

/* Was it sent by this process, or caused by it? */
static bool
is_from_within (int number, const siginfo_t *info)
{
  switch (info->si_code) {
  case SI_USER:
  case SI_QUEUE:
  case SI_TKILL:
    return info->si_pid == omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0);
  case SI_TIMER:
  case SI_MESGQ:
  case SI_ASYNCIO:
    return false;
  }
  switch (number) {
  case SIGALRM: /* of setitimer, whose hook logs the signal */
  case SIGVTALRM:
  case SIGPROF:
  case SIGSEGV:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
  case SIGTRAP:
  case SIGSYS:
    return true;
  default:
    return false;
  }
}

/* In a replay the runtime sends the signals, so the number of items must not
   depend on the sender: there are always two. */
void
omen_channel_signalled (const siginfo_t *info, uint64_t pc)
{
  int number = info->si_signo;
  bool within = is_from_within (number, info);
  omen_order_after (OMEN_ORDER_SIGNAL, (uint64_t)number, pc);
  omen_order_after (within ? OMEN_ORDER_NOTHING : OMEN_ORDER_OUTSIDE, 0, pc);
}

/* -- What changes -------------------------------------------------------- */

void
omen_channel_pipe (const int fds[2])
{
  struct stat info;
  int saved = errno;
  omen_quiet_begin ();
  if (!fstat (fds[0], &info))
    omen_order_know (
        omen_order_object (OMEN_ORDER_PIPE, info.st_ino, info.st_dev),
        __atomic_load_n (&shares, __ATOMIC_ACQUIRE));
  omen_quiet_end ();
  errno = saved;
  forget_all ();
}

void
omen_channel_pair (const int fds[2])
{
  int saved = errno;
  omen_quiet_begin ();
  omen_socket_pair (fds, __atomic_load_n (&shares, __ATOMIC_ACQUIRE));
  omen_quiet_end ();
  errno = saved;
  forget_all ();
}

void
omen_channel_eventfd (int fd)
{
  __atomic_store_n (&numbers_known, true, __ATOMIC_RELEASE);
  omen_order_know (omen_order_object (OMEN_ORDER_EVENTFD, (uint64_t)fd, 0),
                   __atomic_load_n (&duplications, __ATOMIC_ACQUIRE));
  forget_all ();
}

void
omen_channel_duplicated (void)
{
  __atomic_add_fetch (&duplications, 1, __ATOMIC_ACQ_REL);
  forget_all ();
}

void
omen_channel_share (void)
{
  __atomic_add_fetch (&shares, 1, __ATOMIC_ACQ_REL);
  omen_channel_duplicated ();
  omen_map_spread ();
}

bool
omen_channel_is_shared (void)
{
  return __atomic_load_n (&shares, __ATOMIC_ACQUIRE) != 1;
}

/* The next write reports it. */
void
omen_channel_mapped (uint64_t device, uint64_t inode)
{
  const void *object = omen_order_object (OMEN_ORDER_FILE, inode, device);
  if (omen_order_known (object))
    omen_order_know (object, WRITTEN);
  forget_all ();
}

/* Orders earlier writers before threads that wait on the epoll instance later:
   this call is ordered after the descriptor's object and before outside. */
void
omen_channel_watch (int fd, uint64_t pc)
{
  static const uint32_t for_ever = UINT32_MAX;
  channel in = find_channel (fd, false);
  __atomic_store_n (&numbers_known, true, __ATOMIC_RELEASE);
  if (in.object)
    omen_order_know (in.object, for_ever);
  forget_all ();
  omen_channel_after (fd, pc);
  omen_outside_before (pc);
}

/* Nothing is known about the number of an eventfd once it is closed. If it was
   shared before, its channel was BOTH. */
void
omen_channel_closed (int fd)
{
  if (fd < 0) {
    omen_channel_duplicated ();
    return;
  }
  if (__atomic_load_n (&numbers_known, __ATOMIC_ACQUIRE))
    omen_order_know (omen_order_object (OMEN_ORDER_EVENTFD, (uint64_t)fd, 0),
                     0);
  forget_all ();
}
