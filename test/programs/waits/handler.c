/* waits: none
   The handler of a signal posts what the threads wait for. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include <signal.h>

static sem_t tokens;

static void
posts (int number)
{
  sem_post (&tokens);
  sem_post (&tokens);
}

static void *
first (void *arg)
{
  sem_wait (&tokens);
  sem_wait (&tokens);
  return arg;
}

static void *
second (void *arg)
{
  sem_wait (&tokens);
  sem_post (&tokens);
  sem_post (&tokens);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  signal (SIGUSR1, posts);
  sem_init (&tokens, 0, 1);
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  usleep (100000);
  kill (getpid (), SIGUSR1);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
