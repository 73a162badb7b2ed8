/* Objects are destroyed while another thread, one for each, may still use them.
   omen: lifetime, perhaps misuse race (m w spin c s b) */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t s;
static pthread_barrier_t b;

static void *
use_mutex (void *arg)
{
  if (!pthread_mutex_lock (&m))
    pthread_mutex_unlock (&m);
  return arg;
}

static void *
use_rwlock (void *arg)
{
  pthread_rwlock_wrlock (&w);
  pthread_rwlock_unlock (&w);
  return arg;
}

static void *
use_spin (void *arg)
{
  pthread_spin_lock (&spin);
  pthread_spin_unlock (&spin);
  return arg;
}

static void *
use_condition (void *arg)
{
  pthread_cond_broadcast (&c);
  return arg;
}

static void *
use_semaphore (void *arg)
{
  sem_post (&s);
  return arg;
}

static void *
use_barrier (void *arg)
{
  pthread_barrier_wait (&b);
  return arg;
}

int
main (void)
{
  void *(*const uses[]) (void *) = { use_mutex,     use_rwlock,    use_spin,
                                     use_condition, use_semaphore, use_barrier };
  pthread_t threads[6];
  pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init (&s, 0, 0);
  pthread_barrier_init (&b, NULL, 1);
  for (int i = 0; i < 6; i++)
    pthread_create (&threads[i], NULL, uses[i], NULL);
  pthread_barrier_destroy (&b);
  sem_destroy (&s);
  pthread_cond_destroy (&c);
  pthread_spin_destroy (&spin);
  pthread_rwlock_destroy (&w);
  pthread_mutex_destroy (&m);
  for (int i = 0; i < 6; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
