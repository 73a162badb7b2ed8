//: acq 21
//: rel 21
//: tryfail 1
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int count;

static void *
add (void *arg)
{
  for (int i = 0; i < 10; i++) {
    pthread_spin_lock (&lock);
    count++;
    pthread_spin_unlock (&lock);
  }
  return arg;
}

static void *
try (void *arg)
{
  printf ("%d\n", pthread_spin_trylock (&lock) == EBUSY);
  return arg;
}

int
main (void)
{
  pthread_t a, b;
  pthread_spin_init (&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create (&a, NULL, add, NULL);
  pthread_create (&b, NULL, add, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  pthread_spin_lock (&lock);
  pthread_create (&a, NULL, try, NULL);
  pthread_join (a, NULL);
  pthread_spin_unlock (&lock);
  pthread_spin_destroy (&lock);
  printf ("%d\n", count);
  return 0;
}
