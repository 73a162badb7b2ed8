/* Message queues and semaphores of POSIX and System V, which processes share.
 */
#include "runtime/hooks/channel.h"
#include "runtime/hooks/libc.h"

#include <mqueue.h>
#include <stdarg.h>
#include <sys/msg.h>
#include <sys/sem.h>

/* Logged after a call that succeeded. */
#define IN(name, parameters, arguments, after)                                 \
  OMEN_LIBC_BLOCKS (                                                           \
      ssize_t, name, parameters, arguments, , if (result >= 0) {               \
        omen_outside_after (pc);                                               \
        after;                                                                 \
      })

static void
sent (const char *from, size_t size, uint64_t pc)
{
  omen_read (from, size, pc);
  omen_outside_before (pc);
}

static void
got (const char *to, ssize_t size, const unsigned *priority, uint64_t pc)
{
  omen_wrote (to, (size_t)size, pc);
  if (priority)
    omen_wrote (priority, sizeof *priority, pc);
}

OMEN_LIBC_BLOCKS (int, mq_send,
                  (mqd_t queue, const char *from, size_t size,
                   unsigned priority),
                  (queue, from, size, priority), sent (from, size, pc), )
OMEN_LIBC_BLOCKS (int, mq_timedsend,
                  (mqd_t queue, const char *from, size_t size,
                   unsigned priority, const struct timespec *until),
                  (queue, from, size, priority, until), sent (from, size, pc), )
OMEN_LIBC_BLOCKS (int, mq_notify, (mqd_t queue, const struct sigevent *event),
                  (queue, event), omen_outside_before (pc), )
IN (mq_receive, (mqd_t queue, char *to, size_t size, unsigned *priority),
    (queue, to, size, priority), got (to, result, priority, pc))
IN (mq_timedreceive,
    (mqd_t queue, char *restrict to, size_t size, unsigned *restrict priority,
     const struct timespec *restrict until),
    (queue, to, size, priority, until), got (to, result, priority, pc))

OMEN_LIBC_BLOCKS (int, msgsnd,
                  (int queue, const void *from, size_t size, int flags),
                  (queue, from, size, flags),
                  sent (from, sizeof (long) + size, pc), )
IN (msgrcv, (int queue, void *to, size_t size, long type, int flags),
    (queue, to, size, type, flags),
    omen_wrote (to, sizeof (long) + (size_t)result, pc))

/* Take and give in one step. */
OMEN_LIBC_BLOCKS (int, semop,
                  (int set, struct sembuf *operations, size_t count),
                  (set, operations, count), omen_outside_before (pc),
                  if (!result) omen_outside_after (pc))
OMEN_LIBC_BLOCKS (int, semtimedop,
                  (int set, struct sembuf *operations, size_t count,
                   const struct timespec *time),
                  (set, operations, count, time), omen_outside_before (pc),
                  if (!result) omen_outside_after (pc))

OMEN_NEXT (int, semctl, (int, int, int, ...));

OMEN_EXPORT int
semctl (int set, int which, int what, ...)
{
  va_list args;
  va_start (args, what);
  void *with = va_arg (args, void *); /* not used by commands without one */
  va_end (args);
  omen_outside_before (OMEN_PC);
  int result = OMEN_REAL (semctl) (set, which, what, with);
  if (result >= 0)
    omen_outside_after (OMEN_PC);
  return result;
}
