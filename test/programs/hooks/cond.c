// A queue of one: each side waits for the other.
//: wait =wake
//: notify 20
//: notifyall 1
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static int slot, full, ended;

static void *
produce (void *arg)
{
  for (int i = 1; i <= 10; i++) {
    pthread_mutex_lock (&lock);
    while (full)
      pthread_cond_wait (&emptied, &lock);
    slot = i;
    full = 1;
    pthread_cond_signal (&filled);
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

static void *
wait_for_end (void *arg)
{
  pthread_mutex_lock (&lock);
  while (!ended)
    pthread_cond_wait (&over, &lock);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t producer, waiters[3];
  int sum = 0;
  for (int i = 0; i < 3; i++)
    pthread_create (&waiters[i], NULL, wait_for_end, NULL);
  pthread_create (&producer, NULL, produce, NULL);
  for (int i = 1; i <= 10; i++) {
    pthread_mutex_lock (&lock);
    while (!full)
      pthread_cond_wait (&filled, &lock);
    sum += slot;
    full = 0;
    pthread_cond_signal (&emptied);
    pthread_mutex_unlock (&lock);
  }
  pthread_mutex_lock (&lock);
  ended = 1;
  pthread_cond_broadcast (&over);
  pthread_mutex_unlock (&lock);
  pthread_join (producer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (waiters[i], NULL);
  printf ("%d\n", sum);
  return 0;
}
