/* who sees the count of a semaphore knows that it was posted
   omen: none */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t sem;
static volatile int x, y;

static void *
work (void *arg)
{
  int value = 0;
  while (value < 1) {
    usleep (100);
    sem_getvalue (&sem, &value);
  }
  x = x + 1;
  while (value < 2) {
    usleep (100);
    sem_getvalue (&sem, &value);
  }
  y = y + 1;
  return arg;
}

int
main (void)
{
  pthread_t t;
  sem_init (&sem, 0, 0);
  pthread_create (&t, NULL, work, NULL);
  x = 5;
  sem_post (&sem);
  y = 5;
  sem_post (&sem);
  pthread_join (t, NULL);
  return x == 6 && y == 6 ? 0 : 1;
}
