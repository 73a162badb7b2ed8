/* Many live iterators over views of maps: maps ITERATORS NEXTS. Prints the
   processor seconds of making them, of using them in turn and of using them at
   random, and the memory of the process before, with and after them, in KiB;
   the program's own memory for iterators is there before. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct map {
  long changes;
} map;
typedef struct view {
  map *of;
} view;
typedef struct iterator {
  view *over;
  long at;
} iterator;

static __attribute__ ((noinline)) view *
map_keys (map *m)
{
  view *v = malloc (sizeof *v);
  v->of = m;
  return v;
}

/* The memory is the caller's. */
static __attribute__ ((noinline)) iterator *
view_iterator (view *v, iterator *room)
{
  *room = (iterator){ v, 0 };
  return room;
}

static __attribute__ ((noinline)) long
view_next (iterator *i)
{
  return ++i->at;
}

static __attribute__ ((noinline)) void
map_put (map *m)
{
  m->changes++;
}

static long
resident (void)
{
  long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");
  if (file && fscanf (file, "%*d %ld", &pages) != 1)
    pages = 0;
  if (file)
    fclose (file);
  return pages * (sysconf (_SC_PAGESIZE) / 1024);
}

static double
seconds (clock_t since)
{
  return (double)(clock () - since) / CLOCKS_PER_SEC;
}

static unsigned long
next_random (unsigned long *seed)
{
  *seed = *seed * 6364136223846793005UL + 1442695040888963407UL;
  return *seed >> 33;
}

int
main (int argc, char **argv)
{
  long count = argc > 1 ? atol (argv[1]) : 1000000;
  long nexts = argc > 2 ? atol (argv[2]) : 2000000;
  enum { EACH = 1000 };
  map **maps = calloc (count / EACH + 1, sizeof *maps);
  view **views = calloc (count / EACH + 1, sizeof *views);
  iterator **all = malloc (count * sizeof *all);
  unsigned long seed = 7;
  long sum = 0, before, with;
  double making, turn, using;
  clock_t start;
  for (long i = 0; i < count; i++)
    *(all[i] = malloc (sizeof **all)) = (iterator){ 0 };
  for (long i = 0; i <= count / EACH; i++)
    maps[i] = calloc (1, sizeof **maps);
  before = resident ();
  start = clock ();
  for (long i = 0; i < count; i++) {
    if (i % EACH == 0)
      views[i / EACH] = map_keys (maps[i / EACH]);
    view_iterator (views[i / EACH], all[i]);
  }
  making = seconds (start);
  with = resident ();
  start = clock ();
  for (long i = 0; i < nexts; i++)
    sum += view_next (all[i % count]);
  turn = seconds (start);
  start = clock ();
  for (long i = 0; i < nexts; i++) {
    sum += view_next (all[next_random (&seed) % count]);
    if (i % 100000 == 0)
      map_put (maps[next_random (&seed) % (count / EACH)]);
  }
  using = seconds (start);
  for (long i = 0; i < count; i++)
    free (all[i]);
  for (long i = 0; i <= count / EACH; i++) {
    free (views[i]);
    free (maps[i]);
  }
  malloc_trim (0);
  printf ("%f %f %f %ld %ld %ld %d\n", making, turn, using, before, with,
          resident (), sum > 0);
  return 0;
}
