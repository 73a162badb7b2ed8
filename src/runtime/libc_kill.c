/* Signals that the program sends to itself: what came before comes before the
   handler. The object is the signal, whoever it is sent to. */
#include "runtime/channel.h"
#include "runtime/libc.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* 0 sends nothing, only asks. */
static void
sends (int number, uint64_t pc)
{
  if (number > 0 && omen_listening ())
    omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, omen_channel_signal (number), 0,
                  pc);
}

OMEN_LIBC_BLOCKS (int, pthread_kill, (pthread_t thread, int number),
                  (thread, number), sends (number, pc), )
OMEN_LIBC_BLOCKS (int, pthread_sigqueue,
                  (pthread_t thread, int number, const union sigval value),
                  (thread, number, value), sends (number, pc), )
OMEN_LIBC_BLOCKS (int, tgkill, (pid_t process, pid_t thread, int number),
                  (process, thread, number), sends (number, pc), )
OMEN_LIBC_BLOCKS (int, kill, (pid_t process, int number), (process, number),
                  if (process <= 0 || process == getpid ())
                      sends (number, pc), )
OMEN_LIBC_BLOCKS (int, sigqueue,
                  (pid_t process, int number, const union sigval value),
                  (process, number, value),
                  if (process == getpid ()) sends (number, pc), )
