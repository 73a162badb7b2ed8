/* as sqlite's index of its log: each connection maps the same file at an address
   of its own; a head is written twice, and read without a lock until both
   copies are the same
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TURNS = 60, SLOTS = 64 };

typedef struct head {
  uint32_t change, last, sum;
} head;

typedef struct shared {
  head heads[2];
  uint32_t slots[SLOTS];
} shared;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static shared *
connect_it (void)
{
  return mmap (NULL, sizeof (shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
               0);
}

static head
read_head (const volatile shared *s)
{
  for (;;) {
    head a = { s->heads[0].change, s->heads[0].last, s->heads[0].sum };
    __sync_synchronize ();
    head b = { s->heads[1].change, s->heads[1].last, s->heads[1].sum };
    if (a.change == b.change && a.last == b.last && a.sum == a.change + a.last)
      return a;
  }
}

static void
write_head (volatile shared *s, head h)
{
  h.sum = h.change + h.last;
  s->heads[1].change = h.change;
  s->heads[1].last = h.last;
  s->heads[1].sum = h.sum;
  __sync_synchronize ();
  s->heads[0].change = h.change;
  s->heads[0].last = h.last;
  s->heads[0].sum = h.sum;
}

static void *
connection (void *arg)
{
  shared *s = connect_it ();
  for (uint32_t i = 0; i < TURNS; i++) {
    head seen = read_head (s);
    pthread_mutex_lock (&m);
    head now = read_head (s);
    if (now.change < seen.change)
      return NULL;
    s->slots[now.last % SLOTS] = now.last;
    now.change++;
    now.last++;
    write_head (s, now);
    pthread_mutex_unlock (&m);
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[3];
  void *ends[3];
  fd = memfd_create ("index", 0);
  if (fd < 0 || ftruncate (fd, sizeof (shared)))
    return 1;
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, connection, &fd);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], &ends[i]);
  return !(ends[0] && ends[1] && ends[2] && connect_it ()->slots[9]);
}
