/* Producers and consumers with two conditions. prints the sum; repeats. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER;
static int items[4], count, sum;
static void *
produce (void *unused)
{
  for (int i = 1; i <= 50; i++) {
    pthread_mutex_lock (&lock);
    while (count == 4)
      pthread_cond_wait (&room, &lock);
    items[count++] = i;
    pthread_cond_signal (&some);
    pthread_mutex_unlock (&lock);
  }
  return NULL;
}
static void *
consume (void *unused)
{
  for (int i = 1; i <= 50; i++) {
    pthread_mutex_lock (&lock);
    while (!count)
      pthread_cond_wait (&some, &lock);
    sum += items[--count];
    pthread_cond_broadcast (&room);
    pthread_mutex_unlock (&lock);
  }
  return NULL;
}
int
main (void)
{
  pthread_t threads[6];
  for (int i = 0; i < 6; i++)
    pthread_create (&threads[i], NULL, i % 2 ? produce : consume, NULL);
  for (int i = 0; i < 6; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", sum); /* wanted: 3825 */
  return 0;
}
