//: acq 30
//: rel 30
//: tryfail 0
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *
add (void *arg)
{
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock (&lock);
    count++;
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, add, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", count);
  return 0;
}
