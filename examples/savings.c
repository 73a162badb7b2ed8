/* A savings bank with four mistakes that an ordinary run does not show
   (and it breaks a promise, that of savings.mop):
     last_customer   is written without a lock: a race
     move            takes the two accounts' locks in the order of its
                     arguments: a deadlock, if two threads move money both ways
     withdraw        looks at the balance and takes the money under the lock,
                     but lets go of it in between: not atomic
     auditor         reads the rate under the lock, and yet what it prints
                     depends on the schedule: a nondeterministic read */
#include <pthread.h>
#include <stdio.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account ann = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account bob = { PTHREAD_MUTEX_INITIALIZER, 100 };
static pthread_mutex_t office = PTHREAD_MUTEX_INITIALIZER;
static int last_customer, rate = 1;

static void
move (struct account *from, struct account *to, int amount)
{
  pthread_mutex_lock (&from->lock);
  pthread_mutex_lock (&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock (&to->lock);
  pthread_mutex_unlock (&from->lock);
}

static void
withdraw (struct account *from, int amount)
{
  pthread_mutex_lock (&from->lock);
  int enough = from->balance >= amount;
  pthread_mutex_unlock (&from->lock);
  if (enough) {
    pthread_mutex_lock (&from->lock);
    from->balance -= amount;
    pthread_mutex_unlock (&from->lock);
  }
}

static void
seize (struct account *account)
{
  pthread_mutex_lock (&account->lock);
  account->balance = 0;
  pthread_mutex_unlock (&account->lock);
}

static void *
counter (void *arg)
{
  last_customer = 1;
  withdraw (&ann, 50);
  move (&ann, &bob, 10);
  return arg;
}

static void *
machine (void *arg)
{
  pthread_mutex_lock (&office);
  rate = 2;
  pthread_mutex_unlock (&office);
  last_customer = 2;
  move (&bob, &ann, 20);
  return arg;
}

static void *
auditor (void *arg)
{
  pthread_mutex_lock (&office);
  int seen = rate;
  pthread_mutex_unlock (&office);
  printf ("the rate is %d\n", seen);
  seize (&ann);
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  pthread_create (&threads[0], NULL, counter, NULL);
  pthread_create (&threads[1], NULL, machine, NULL);
  pthread_create (&threads[2], NULL, auditor, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("ann has %d, bob has %d\n", ann.balance, bob.balance);
  return 0;
}
