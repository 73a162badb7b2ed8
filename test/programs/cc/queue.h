/* A bounded queue of numbers that threads share. */
#ifndef OMEN_TEST_QUEUE_H
#define OMEN_TEST_QUEUE_H
#include <pthread.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int items[8], count, closed;
} queue;
void queue_init (queue *q);
void queue_put (queue *q, int item);
int queue_get (queue *q, int *item);
void queue_close (queue *q);
#ifdef __cplusplus
}
#endif
#endif
