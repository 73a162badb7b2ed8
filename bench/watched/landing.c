/* landing TURNS LATE CYCLES: two threads do a lot with locks, a turn every so
   many cycles; after LATE turns one of them lets the plane of
   examples/landing.c land, which another run does without permission. The time
   of that, in seconds, goes to the file `landed`. One core is left to who
   watches. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { LOCKS = 8 };
static int permit, landing;
static long turns, late, cycles;
static struct {
  pthread_mutex_t lock;
  long count;
} table[LOCKS];

static void *
radio (void *unused)
{
  permit = 0;
  return unused;
}

static void *
pilot (void *unused)
{
  struct timespec now;
  FILE *file;
  usleep (500); /* the radio has been down */
  permit = 1;
  if (permit)
    landing = 1;
  clock_gettime (CLOCK_REALTIME, &now);
  file = fopen ("landed", "w");
  fprintf (file, "%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
  fclose (file);
  return unused;
}

static void *
work (void *number)
{
  long me = (long)number;
  pthread_t t[2];
  unsigned long long next = __rdtsc ();
  for (long i = 0; i < turns; i++) {
    long at = (i * 5 + me * 3) % LOCKS;
    pthread_mutex_lock (&table[at].lock);
    table[at].count++;
    pthread_mutex_unlock (&table[at].lock);
    for (next += (unsigned long long)cycles; __rdtsc () < next;)
      continue;
    if (!me && i == late) {
      pthread_create (&t[0], NULL, radio, NULL);
      pthread_create (&t[1], NULL, pilot, NULL);
    }
  }
  for (int i = 0; !me && i < 2; i++)
    pthread_join (t[i], NULL);
  return NULL;
}

static void
leave_a_core (void)
{
  cpu_set_t cores;
  int last = CPU_SETSIZE - 1;
  sched_getaffinity (0, sizeof cores, &cores);
  while (!CPU_ISSET (last, &cores))
    last--;
  if (CPU_COUNT (&cores) > 1)
    CPU_CLR (last, &cores);
  sched_setaffinity (0, sizeof cores, &cores);
}

int
main (int count, char **words)
{
  pthread_t t[2];
  leave_a_core ();
  if (count < 4)
    return 2;
  turns = atol (words[1]);
  late = atol (words[2]);
  cycles = atol (words[3]);
  for (int i = 0; i < LOCKS; i++)
    pthread_mutex_init (&table[i].lock, NULL);
  for (long i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return 0;
}
