/* A chained hash table with one mutex for each stripe of buckets, used by
   some threads at once: lookups, inserts, removals in the proportion 6:3:1.

     hashtable [THREADS [OPERATIONS-PER-THREAD]]

   Prints a digest that does not depend on the schedule: the number of
   operations and whether every chain holds only keys that belong there. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 14, STRIPES = 64, KEYS = 1 << 16 };

struct entry {
  uint32_t key;
  uint32_t uses;
  uint64_t sum;
  struct entry *next;
};

static struct entry *buckets[BUCKETS];
static pthread_mutex_t stripes[STRIPES];
static uint64_t operations;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total;

static uint32_t
hash (uint32_t key)
{
  key ^= key >> 16;
  key *= 0x7feb352dU;
  key ^= key >> 15;
  key *= 0x846ca68bU;
  return (key ^ key >> 16) % BUCKETS;
}

static struct entry *
find (struct entry *e, uint32_t key)
{
  while (e && e->key != key)
    e = e->next;
  return e;
}

static void
insert (uint32_t bucket, uint32_t key)
{
  struct entry *e = find (buckets[bucket], key);
  if (!e) {
    e = calloc (1, sizeof *e);
    e->key = key;
    e->next = buckets[bucket];
    buckets[bucket] = e;
  }
  e->uses++;
  e->sum += key;
}

static void
drop (uint32_t bucket, uint32_t key)
{
  struct entry **link = &buckets[bucket];
  while (*link && (*link)->key != key)
    link = &(*link)->next;
  struct entry *e = *link;
  if (e) {
    *link = e->next;
    free (e);
  }
}

static void *
work (void *arg)
{
  uint64_t seed = (uintptr_t)arg * 0x9e3779b97f4a7c15U + 1, seen = 0;
  for (uint64_t i = 0; i < operations; i++) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    uint32_t key = (uint32_t)(seed >> 33) % KEYS, bucket = hash (key);
    pthread_mutex_t *lock = &stripes[bucket % STRIPES];
    pthread_mutex_lock (lock);
    switch ((seed >> 20) % 10) {
    case 0:
      drop (bucket, key);
      break;
    case 1:
    case 2:
    case 3:
      insert (bucket, key);
      break;
    default:
      seen += find (buckets[bucket], key) != NULL;
    }
    pthread_mutex_unlock (lock);
  }
  pthread_mutex_lock (&total_lock);
  total += operations + (seen & 0);
  pthread_mutex_unlock (&total_lock);
  return NULL;
}

static int
all_belong (void)
{
  for (uint32_t b = 0; b < BUCKETS; b++)
    for (struct entry *e = buckets[b]; e; e = e->next)
      if (hash (e->key) != b || e->sum != (uint64_t)e->key * e->uses)
        return 0;
  return 1;
}

int
main (int argc, char **argv)
{
  int threads = argc > 1 ? atoi (argv[1]) : 4;
  operations = argc > 2 ? strtoull (argv[2], NULL, 10) : 2000000;
  pthread_t *ids = calloc ((size_t)threads, sizeof *ids);
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init (&stripes[i], NULL);
  for (int i = 0; i < threads; i++)
    pthread_create (&ids[i], NULL, work, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < threads; i++)
    pthread_join (ids[i], NULL);
  printf ("%llu operations, %s\n", (unsigned long long)total,
          all_belong () ? "sound" : "BROKEN");
  free (ids);
  return 0;
}
