/* Tickets are sold as long as a flag says so. */
#include <assert.h>
#include <pthread.h>

enum { SEATS = 2, SELLERS = 3 };
static volatile int sold, closed;

static void *
sell (void *arg)
{
  (void)arg;
  if (!closed) {
    sold++;
    if (sold >= SEATS)
      closed = 1;
  }
  return NULL;
}

int
main (void)
{
  pthread_t threads[SELLERS];
  for (int i = 0; i < SELLERS; i++)
    pthread_create (&threads[i], NULL, sell, NULL);
  for (int i = 0; i < SELLERS; i++)
    pthread_join (threads[i], NULL);
  assert (sold <= SEATS);
  return 0;
}
