/* waits: condition condition thread
   One condition for "not empty" and "not full", and a signal where all would have to
   be woken: the consumer's wakes the other consumer, not the producer. In the
   recorded run somebody else woke all, later. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void
tell (void)
{
#ifdef FIXED
  pthread_cond_broadcast (&changed);
#else
  pthread_cond_signal (&changed);
#endif
}

static void *
consume (void *arg)
{
  pthread_mutex_lock (&lock);
  while (count == 0)
    pthread_cond_wait (&changed, &lock);
  count--;
  tell ();
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
produce (void *arg)
{
  usleep (100000);
  pthread_mutex_lock (&lock);
  for (int i = 0; i < 2; i++) {
    while (count == 1)
      pthread_cond_wait (&changed, &lock);
    count++;
    tell ();
  }
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
wake_all (void *arg)
{
  usleep (250000);
  pthread_mutex_lock (&lock);
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  static void *(*const starts[]) (void *)
      = { consume, consume, produce, wake_all };
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, starts[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
