/* requests on the stacks of threads that come one after the other: the second
   lies where the first one was, and is another one all the same
   omen: none */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

typedef struct request {
  int number;
  sem_t done;
} request;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static request *box;
static sem_t served;

static void *
server (void *arg)
{
  pthread_mutex_lock (&m);
  while (!box)
    pthread_cond_wait (&c, &m);
  request *mine = box;
  box = NULL;
  pthread_cond_broadcast (&c);
  pthread_mutex_unlock (&m);
  if (mine->number > 1)
    __builtin_trap ();
  sem_post (&mine->done);
  return arg;
}

static void *
client (void *arg)
{
  request mine;
  mine.number = arg != NULL;
  sem_init (&mine.done, 0, 0);
  pthread_mutex_lock (&m);
  while (box)
    pthread_cond_wait (&c, &m);
  box = &mine;
  pthread_cond_broadcast (&c);
  pthread_mutex_unlock (&m);
  sem_wait (&mine.done);
  sem_post (&served);
  return arg;
}

int
main (void)
{
  pthread_t a, b, any;
  pthread_attr_t detached;
  sem_init (&served, 0, 0);
  pthread_attr_init (&detached);
  pthread_attr_setdetachstate (&detached, PTHREAD_CREATE_DETACHED);
  pthread_create (&a, NULL, server, NULL);
  pthread_create (&b, NULL, server, NULL);
  for (long i = 0; i < 2; i++) {
    pthread_create (&any, &detached, client, (void *)i);
    usleep (100000); /* so that the next one gets its stack */
  }
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  sem_wait (&served);
  sem_wait (&served);
  return 0;
}
