/* Threads put money into accounts and move it between them, each under its
   lock; the bank's own sum is kept without one.

   account [ROUNDS] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 8
#define THREADS 4

typedef struct account {
  pthread_mutex_t lock;
  long balance;
} account;

static account accounts[ACCOUNTS];
static long sum;
static int rounds;

static void
put (account *a, long amount)
{
  pthread_mutex_lock (&a->lock);
  a->balance += amount;
  pthread_mutex_unlock (&a->lock);
}

/* The lower one first, so that nobody waits for ever. */
static void
move (int from, int to, long amount)
{
  int low = from < to ? from : to, high = from < to ? to : from;
  if (low == high)
    return;
  pthread_mutex_lock (&accounts[low].lock);
  pthread_mutex_lock (&accounts[high].lock);
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
  pthread_mutex_unlock (&accounts[high].lock);
  pthread_mutex_unlock (&accounts[low].lock);
}

static void *
customer (void *arg)
{
  int self = (int)(long)arg;
  for (int i = 0; i < rounds; i++) {
    put (&accounts[(self + i) % ACCOUNTS], 100);
    move ((self + i) % ACCOUNTS, (self + 3 * i + 1) % ACCOUNTS, 10);
  }
  sum += 100 * rounds;
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  rounds = argc > 1 ? atoi (argv[1]) : 100;
  for (int i = 0; i < ACCOUNTS; i++)
    pthread_mutex_init (&accounts[i].lock, NULL);
  for (long i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, customer, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", sum);
  return 0;
}
