/* Objects are made while another thread may use them already.
   omen: race (m w c s b) */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t m;
static pthread_rwlock_t w;
static pthread_cond_t c;
static sem_t s;
static pthread_barrier_t b;

static void *
use (void *arg)
{
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_rwlock_rdlock (&w);
  pthread_rwlock_unlock (&w);
  pthread_cond_signal (&c);
  sem_post (&s);
  return arg;
}

static void *
meet (void *arg)
{
  pthread_barrier_wait (&b);
  return arg;
}

int
main (void)
{
  pthread_t thread, other;
  pthread_create (&thread, NULL, use, NULL);
  pthread_mutex_init (&m, NULL);
  pthread_rwlock_init (&w, NULL);
  pthread_cond_init (&c, NULL);
  sem_init (&s, 0, 0);
  pthread_join (thread, NULL);
  pthread_barrier_init (&b, NULL, 1);
  pthread_create (&other, NULL, meet, NULL);
  pthread_barrier_init (&b, NULL, 1);
  pthread_join (other, NULL);
  return 0;
}
