#include "queue.h"

void
queue_init (queue *q)
{
  pthread_mutex_init (&q->lock, NULL);
  pthread_cond_init (&q->changed, NULL);
  q->count = q->closed = 0;
}

void
queue_put (queue *q, int item)
{
  pthread_mutex_lock (&q->lock);
  while (q->count == 8)
    pthread_cond_wait (&q->changed, &q->lock);
  q->items[q->count++] = item;
  pthread_cond_broadcast (&q->changed);
  pthread_mutex_unlock (&q->lock);
}

int
queue_get (queue *q, int *item)
{
  pthread_mutex_lock (&q->lock);
  while (!q->count && !q->closed)
    pthread_cond_wait (&q->changed, &q->lock);
  int got = q->count > 0;
  if (got)
    *item = q->items[--q->count];
  pthread_cond_broadcast (&q->changed);
  pthread_mutex_unlock (&q->lock);
  return got;
}

void
queue_close (queue *q)
{
  pthread_mutex_lock (&q->lock);
  q->closed = 1;
  pthread_cond_broadcast (&q->changed);
  pthread_mutex_unlock (&q->lock);
}
