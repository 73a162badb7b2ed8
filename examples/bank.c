/* A race that nearly every run hides: the lock happens to order the two
   accesses to last_customer, since the auditor starts later. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, fee = 1, last_customer;

static void *
deposit (void *arg)
{
  last_customer = 7;
  pthread_mutex_lock (&lock);
  balance += 50;
  pthread_mutex_unlock (&lock);
  return arg;
}

static void *
audit (void *arg)
{
  pthread_mutex_lock (&lock);
  fee = 2;
  pthread_mutex_unlock (&lock);
  printf ("last customer: %d\n", last_customer);
  return arg;
}

int
main (void)
{
  pthread_t teller, auditor;
  pthread_create (&teller, NULL, deposit, NULL);
  pthread_create (&auditor, NULL, audit, NULL);
  pthread_join (teller, NULL);
  pthread_join (auditor, NULL);
  printf ("balance: %d\n", balance);
  return 0;
}
