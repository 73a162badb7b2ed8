//: seminit 2
//: up 21
//: down 22
//: semfail 2
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;

static void *
answer (void *arg)
{
  for (int i = 0; i < 10; i++) {
    sem_wait (&ping);
    sem_post (&pong);
  }
  return arg;
}

int
main (void)
{
  pthread_t thread;
  struct timespec past = { 1, 0 };
  sem_init (&ping, 0, 0);
  sem_init (&pong, 0, 1);
  printf ("%d\n", sem_trywait (&pong));
  printf ("%d %d\n", sem_trywait (&pong), errno == EAGAIN);
  printf ("%d %d\n", sem_timedwait (&pong, &past), errno == ETIMEDOUT);
  pthread_create (&thread, NULL, answer, NULL);
  for (int i = 0; i < 10; i++) {
    sem_post (&ping);
    sem_wait (&pong);
  }
  pthread_join (thread, NULL);
  sem_post (&ping);
  sem_wait (&ping);
  sem_destroy (&ping);
  sem_destroy (&pong);
  return 0;
}
