/* Locks in heap blocks, taken in both orders. */
#include <pthread.h>
#include <stdlib.h>

typedef struct account {
  long balance;
  pthread_mutex_t lock;
} account;

static account *
open_account (long balance)
{
  account *a = malloc (sizeof *a);
  a->balance = balance;
  pthread_mutex_init (&a->lock, NULL);
  return a;
}

static void
move (account *from, account *to)
{
  pthread_mutex_lock (&from->lock);
  pthread_mutex_lock (&to->lock);
  from->balance--;
  to->balance++;
  pthread_mutex_unlock (&to->lock);
  pthread_mutex_unlock (&from->lock);
}

static account *savings, *current;

static void *
teller (void *arg)
{
  move (savings, current);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  savings = open_account (10);
  current = open_account (20);
  pthread_create (&thread, NULL, teller, NULL);
  pthread_join (thread, NULL);
  pthread_create (&thread, NULL, teller, NULL);
  move (current, savings);
  pthread_join (thread, NULL);
  return 0;
}
