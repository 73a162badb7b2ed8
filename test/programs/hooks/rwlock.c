//: acq 22
//: rel 22
//: racq 42
//: rrel 42
//: tryfail 1
//: rtryfail 1
//: lockfail 3
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, sum;

static void *
write_it (void *arg)
{
  for (int i = 0; i < 10; i++) {
    pthread_rwlock_wrlock (&lock);
    value++;
    pthread_rwlock_unlock (&lock);
  }
  return arg;
}

static void *
read_it (void *arg)
{
  for (int i = 0; i < 10; i++) {
    pthread_rwlock_rdlock (&lock);
    *(int *)arg += value > 0;
    pthread_rwlock_unlock (&lock);
  }
  return arg;
}

static void *
try (void *arg)
{
  struct timespec past = { 1, 0 };
  if (arg)
    printf ("%d\n", pthread_rwlock_tryrdlock (&lock) == EBUSY);
  printf ("%d\n", pthread_rwlock_trywrlock (&lock) == EBUSY);
  printf ("%d\n", pthread_rwlock_timedwrlock (&lock, &past) == ETIMEDOUT);
  if (arg)
    printf ("%d\n", pthread_rwlock_timedrdlock (&lock, &past) == ETIMEDOUT);
  return arg;
}

static void
run (void *(*f) (void *), void *arg)
{
  pthread_t thread;
  pthread_create (&thread, NULL, f, arg);
  pthread_join (thread, NULL);
}

int
main (void)
{
  pthread_t threads[5];
  int seen[3] = { 0 };
  for (int i = 0; i < 5; i++)
    pthread_create (&threads[i], NULL, i < 2 ? write_it : read_it,
                    i < 2 ? NULL : &seen[i - 2]);
  for (int i = 0; i < 5; i++)
    pthread_join (threads[i], NULL);
  pthread_rwlock_wrlock (&lock);
  run (try, &sum);
  printf ("%d\n", pthread_rwlock_rdlock (&lock) == EDEADLK);
  pthread_rwlock_unlock (&lock);
  pthread_rwlock_rdlock (&lock);
  run (read_it, &sum);
  pthread_rwlock_unlock (&lock);
  pthread_rwlock_trywrlock (&lock);
  pthread_rwlock_unlock (&lock);
  pthread_rwlock_tryrdlock (&lock);
  pthread_rwlock_unlock (&lock);
  pthread_rwlock_destroy (&lock);
  printf ("%d %d\n", value, sum);
  return 0;
}
