/* lifetime: use-after-free
   A message is counted by its sender after it was handed over; the receiver frees
   what it gets. */
#include "two.h"

typedef struct message {
  int length;
} message;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static message *box;
static int sent, received;

static void *
sender (void *arg)
{
  message *m = calloc (1, sizeof *m);
  m->length = 7;
#ifdef FIXED
  sent += m->length;
#endif
  pthread_mutex_lock (&lock);
  box = m;
  pthread_cond_signal (&came);
  pthread_mutex_unlock (&lock);
#ifndef FIXED
  sent += m->length;
#endif
  return arg;
}

static void *
receiver (void *arg)
{
  message *m;
  later ();
  pthread_mutex_lock (&lock);
  while (!box)
    pthread_cond_wait (&came, &lock);
  m = box;
  box = NULL;
  pthread_mutex_unlock (&lock);
  received += m->length;
  free (m);
  return arg;
}

int
main (void)
{
  run_two (sender, receiver);
  return 0;
}
