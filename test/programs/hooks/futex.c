// Futexes say how many they woke and moved.
//: ext 2
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int word, other, changed;

static long
futex (_Atomic int *at, int operation, int value, long second,
       _Atomic int *to, unsigned third)
{
  return syscall (SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, second,
                  to, third);
}

static void *
sleeper (void *bits)
{
  futex (&word, FUTEX_WAIT_BITSET, 0, 0, NULL, (unsigned)(long)bits);
  return NULL;
}

/* Until so many were moved in all. */
static int
move (int wanted)
{
  int moved = 0;
  while (moved < wanted) {
    moved += (int)futex (&word, FUTEX_CMP_REQUEUE, 0, INT_MAX, &other, 0);
    usleep (1000);
  }
  return moved;
}

int
main (void)
{
  pthread_t threads[3];
  for (long i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, sleeper, (void *)(1 << i));
  printf ("moved %d\n", move (3));
  printf ("nobody left: %ld\n", futex (&word, FUTEX_WAKE, 9, 0, NULL, 0));
  printf ("other bits: %ld\n",
          futex (&other, FUTEX_WAKE_BITSET, 9, 0, NULL, 8));
  printf ("bit: %ld\n", futex (&other, FUTEX_WAKE_BITSET, 9, 0, NULL, 2));
  /* 0 becomes 5; it was not greater than 0, so the second word is left alone */
  printf ("with a condition: %ld %d\n",
          futex (&word, FUTEX_WAKE_OP, 9, 9, &changed,
                 FUTEX_OP (FUTEX_OP_ADD, 5, FUTEX_OP_CMP_GT, 0)),
          atomic_load (&changed));
  printf ("both: %ld %d\n",
          futex (&changed, FUTEX_WAKE_OP, 9, 9, &other,
                 FUTEX_OP (FUTEX_OP_SET, 3, FUTEX_OP_CMP_EQ, 0)),
          atomic_load (&other));
  printf ("not equal: %ld\n", futex (&word, FUTEX_WAIT, 1, 0, NULL, 0));
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
