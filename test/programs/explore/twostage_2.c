/* 1 threads write in two stages, each under a lock; a reader comes in between. */
#include <assert.h>
#include <pthread.h>


enum { WRITERS = 1 };
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t two = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *
write_both (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&one);
  data1 = 1;
  pthread_mutex_unlock (&one);
  pthread_mutex_lock (&two);
  data2 = data1 + 1;
  pthread_mutex_unlock (&two);
  return NULL;
}

static void *
read_both (void *arg)
{
  (void)arg;
  pthread_mutex_lock (&one);
  if (data1 == 0) {
    pthread_mutex_unlock (&one);
    return NULL;
  }
  int first = data1;
  pthread_mutex_unlock (&one);
  pthread_mutex_lock (&two);
  int second = data2;
  pthread_mutex_unlock (&two);
  assert (second == first + 1);
  return NULL;
}

int
main (void)
{
  pthread_t writers[WRITERS], reader;
  for (int i = 0; i < WRITERS; i++)
    pthread_create (&writers[i], NULL, write_both, NULL);
  pthread_create (&reader, NULL, read_both, NULL);
  for (int i = 0; i < WRITERS; i++)
    pthread_join (writers[i], NULL);
  pthread_join (reader, NULL);
  return 0;
}
