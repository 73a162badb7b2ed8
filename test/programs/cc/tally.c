#include "queue.h"

#include <stdatomic.h>
#include <stddef.h>

enum { ITEMS = 64, THREADS = 4 };
void report (int items, int threads, int sum);
static queue work;
static atomic_int items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *
consume (void *arg)
{
  int item;
  while (queue_get (&work, &item)) {
    pthread_mutex_lock (&lock);
    sum += item;
    pthread_mutex_unlock (&lock);
    atomic_fetch_add (&items, 1);
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[THREADS];
  queue_init (&work);
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, consume, NULL);
  for (int i = 0; i < ITEMS; i++)
    queue_put (&work, i);
  queue_close (&work);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  report (items, THREADS, sum);
  return 0;
}
