//: arrive 12
//: depart 12
//? arrive(.*,3)
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int parts[3], serial[3], right = 1;

static void *
work (void *arg)
{
  int me = (int)((int *)arg - parts);
  for (int round = 1; round <= 2; round++) {
    parts[me]++;
    serial[me] += pthread_barrier_wait (&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    for (int i = 0; i < 3; i++)
      if (parts[i] != round)
        __atomic_store_n (&right, 0, __ATOMIC_RELAXED);
    serial[me] += pthread_barrier_wait (&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  pthread_barrier_init (&barrier, NULL, 3);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, work, &parts[i]);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  pthread_barrier_destroy (&barrier);
  printf ("%d %d\n", right, serial[0] + serial[1] + serial[2]);
  return 0;
}
