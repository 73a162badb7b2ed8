/* locks made of futexes, with all that the kernel offers: requeue, a wake with an
   operation, bits; and results that are believed
   omen: none */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int lock_word, condition, gate, door, asleep;
static int ready, sum;

static long
futex (_Atomic int *word, int operation, int value, long second,
       _Atomic int *other, unsigned third)
{
  return syscall (SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value,
                  second, other, third);
}

static void
lock_contended (void)
{
  while (atomic_exchange (&lock_word, 2))
    futex (&lock_word, FUTEX_WAIT, 2, 0, NULL, 0);
}

static void
lock (void)
{
  int open = 0;
  if (!atomic_compare_exchange_strong (&lock_word, &open, 1))
    lock_contended ();
}

static void
unlock (void)
{
  if (atomic_exchange (&lock_word, 0) == 2)
    futex (&lock_word, FUTEX_WAKE, 1, 0, NULL, 0);
}

static void *
work (void *arg)
{
  lock ();
  while (!ready) {
    int seen = atomic_load (&condition);
    unlock ();
    futex (&condition, FUTEX_WAIT, seen, 0, NULL, 0);
    lock_contended ();
  }
  sum++;
  unlock ();
  /* bit 2 of the gate; it stays shut for bit 1 */
  while (!atomic_load (&gate))
    futex (&gate, FUTEX_WAIT_BITSET, 0, 0, NULL, 2);
  return arg;
}

static void
notify_all (void)
{
  int now = atomic_fetch_add (&condition, 1) + 1;
  atomic_exchange (&lock_word, 2);
  futex (&condition, FUTEX_CMP_REQUEUE, 1, INT_MAX, &lock_word,
         (unsigned)now);
}

/* Somebody sleeps; a wake says so. */
static void *
sleeper (void *arg)
{
  futex (&asleep, FUTEX_WAIT, 0, 0, NULL, 0);
  return arg;
}

int
main (void)
{
  pthread_t t[3];
  for (int i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, NULL);
  pthread_create (&t[2], NULL, sleeper, NULL);
  long woken = 0;
  for (int i = 0; !woken && i < 5000; i++) {
    woken = futex (&asleep, FUTEX_WAKE, 1, 0, NULL, 0);
    usleep (1000);
  }
  if (woken != 1)
    abort ();
  pthread_join (t[2], NULL);
  lock ();
  ready = 1;
  notify_all ();
  unlock ();
  usleep (10000);
  if (futex (&gate, FUTEX_WAKE_BITSET, INT_MAX, 0, NULL, 1) != 0)
    abort ();
  /* gate: 0 becomes 1; who waits at the door, nobody, is woken, then who waits
     at the gate, since it was 0 */
  futex (&door, FUTEX_WAKE_OP, 1, INT_MAX, &gate,
         FUTEX_OP (FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
  pthread_join (t[0], NULL);
  pthread_join (t[1], NULL);
  return sum == 2 && atomic_load (&gate) == 1 ? 0 : 1;
}
