/* Transfers in a circle, each under the locks of both accounts. Whoever comes
   later reads what the one before has paid in, so with the values of any run in
   which one transfer follows the other the three cannot meet: with others they
   do. Compiled with -DORDERED the locks are taken in the order of the accounts.
 */
#include <pthread.h>
#include <stdint.h>

enum { ACCOUNTS = 3 };

static struct account {
  pthread_mutex_t lock;
  long money;
} bank[ACCOUNTS];

static void
transfer (int from, int to, long sum)
{
  int first = from, second = to;
#ifdef ORDERED
  if (first > second)
    first = to, second = from;
#endif
  pthread_mutex_lock (&bank[first].lock);
  if (bank[from].money >= sum) {
    pthread_mutex_lock (&bank[second].lock);
    bank[from].money -= sum;
    bank[to].money += sum;
    pthread_mutex_unlock (&bank[second].lock);
  }
  pthread_mutex_unlock (&bank[first].lock);
}

static void *
teller (void *arg)
{
  int from = (int)(intptr_t)arg;
  transfer (from, (from + 1) % ACCOUNTS, 5);
  return NULL;
}

int
main (void)
{
  pthread_t threads[ACCOUNTS];
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init (&bank[i].lock, NULL);
    bank[i].money = 100;
  }
  for (intptr_t i = 0; i < ACCOUNTS; i++)
    pthread_create (&threads[i], NULL, teller, (void *)i);
  for (int i = 0; i < ACCOUNTS; i++)
    pthread_join (threads[i], NULL);
  return bank[0].money != 100;
}
