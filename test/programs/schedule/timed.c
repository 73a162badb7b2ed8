/* Conditions with a deadline: what a thread does next depends on whether its
   wait ran out, and when it did the clock must not be before that. Some are
   notified, some run out while another thread notifies. repeats. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static volatile int work, ran_out, notified, early;

static struct timespec
after (long us)
{
  struct timespec at;
  clock_gettime (CLOCK_MONOTONIC, &at);
  long ns = at.tv_nsec + us * 1000;
  return (struct timespec){ at.tv_sec + ns / 1000000000, ns % 1000000000 };
}

static int
is_over (const struct timespec *at)
{
  struct timespec now = after (0);
  return now.tv_sec > at->tv_sec
         || (now.tv_sec == at->tv_sec && now.tv_nsec >= at->tv_nsec);
}

static void *
wait_for_work (void *arg)
{
  long us = (long)arg;
  for (int i = 0; i < 20; i++) {
    struct timespec at = after (us);
    pthread_mutex_lock (&mutex);
    int result = pthread_cond_timedwait (&condition, &mutex, &at);
    if (result)
      ran_out++;
    else
      notified++;
    if (result && !is_over (&at))
      early++;
    while (work > 0)
      work--;
    pthread_mutex_unlock (&mutex);
  }
  return NULL;
}

static void *
make_work (void *arg)
{
  for (int i = 0; i < 30; i++) {
    nanosleep (&(struct timespec){ 0, 300000 }, NULL);
    pthread_mutex_lock (&mutex);
    work += 2;
    pthread_mutex_unlock (&mutex);
    if (i % 3)
      pthread_cond_signal (&condition);
    else
      pthread_cond_broadcast (&condition);
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  pthread_condattr_t how;
  pthread_condattr_init (&how);
  pthread_condattr_setclock (&how, CLOCK_MONOTONIC);
  pthread_cond_init (&condition, &how);
  pthread_create (&threads[0], NULL, wait_for_work, (void *)400);
  pthread_create (&threads[1], NULL, wait_for_work, (void *)700);
  pthread_create (&threads[2], NULL, make_work, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  /* wanted: 40 0 */
  printf ("%d %d\n", ran_out + notified, early);
  return early;
}
