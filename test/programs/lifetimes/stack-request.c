/* lifetime: use-after-return
   Who asks has the request on its stack, and goes when it has an answer, or when
   it gave up; who answers still writes to it. */
#include "two.h"
#include <semaphore.h>

typedef struct request {
  int state, answer;
} request;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static request *pending;
static sem_t taken; /* the request */

static void *
server (void *arg)
{
  request *r;
  pthread_mutex_lock (&lock);
  r = pending;
#ifdef FIXED
  if (r) {
    r->answer = 42;
    pending = NULL;
  }
  pthread_mutex_unlock (&lock);
  sem_post (&taken);
#else
  pthread_mutex_unlock (&lock);
  sem_post (&taken);
  pthread_mutex_lock (&lock);
  if (r)
    r->answer = 42;
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

static __attribute__ ((noinline)) int
ask (void)
{
  request mine = { 0, 0 };
  int answer;
  pthread_t thread;
  pthread_mutex_lock (&lock);
  pending = &mine;
  pthread_mutex_unlock (&lock);
  pthread_create (&thread, NULL, server, NULL);
  pthread_detach (thread);
  sem_wait (&taken);
  pthread_mutex_lock (&lock);
  pending = NULL;
  answer = mine.state;
  pthread_mutex_unlock (&lock);
  return answer;
}

int
main (void)
{
  volatile int answer;
  sem_init (&taken, 0, 0);
  answer = ask ();
  later ();
  return answer < 0;
}
