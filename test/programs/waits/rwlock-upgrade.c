/* waits: lock lock
   Both readers want to write without giving up what they have read. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t change = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void *
reader (void *arg)
{
  usleep (arg ? 100000 : 0);
  pthread_rwlock_rdlock (&table);
  int seen = entries;
#ifdef FIXED
  pthread_rwlock_unlock (&table);
#endif
  pthread_mutex_lock (&change);
#ifdef FIXED
  pthread_rwlock_rdlock (&table);
#endif
  seen += entries;
  pthread_rwlock_unlock (&table);
  pthread_mutex_unlock (&change);
  return (void *)(long)seen;
}

static void *
writer (void *arg)
{
  usleep (200000);
  pthread_mutex_lock (&change);
  pthread_rwlock_wrlock (&table);
  entries = 0;
  pthread_rwlock_unlock (&table);
  pthread_mutex_unlock (&change);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, writer, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
