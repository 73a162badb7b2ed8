/* A thread unlocks what it has not locked. Once another thread surely has it,
   and no longer excludes others; once it may have it.
   omen: race misuse */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *
unlock (void *arg)
{
  pthread_mutex_unlock (arg);
  return NULL;
}

static void *
add (void *arg)
{
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return arg;
}

static void *
add_more (void *arg)
{
  pthread_mutex_lock (&n);
  y++;
  pthread_mutex_unlock (&n);
  return arg;
}

int
main (void)
{
  pthread_t a, b, c;
  pthread_mutex_lock (&m);
  pthread_create (&a, NULL, unlock, &m);
  pthread_join (a, NULL);
  pthread_create (&b, NULL, add, NULL);
  x++;
  pthread_mutex_unlock (&m);
  pthread_join (b, NULL);
  pthread_create (&b, NULL, unlock, &n);
  pthread_create (&c, NULL, add_more, NULL);
  pthread_join (b, NULL);
  pthread_join (c, NULL);
  return 0;
}
