/* A cache of statements: who does not need one any more looks whether it is still
   there and takes it out; a cleaner takes out what is old. Every operation of the
   map is under its lock.

   cache [ROUNDS]: so many statements are run before. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 16

typedef struct map {
  pthread_mutex_t lock;
  const char *keys[ROOM];
  int values[ROOM];
} map;

static map statements = { .lock = PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t engine = PTHREAD_MUTEX_INITIALIZER;
static long ran;
static int rounds;
static const char *const query = "select";

/* The caller has the lock. */
static int
slot_of (map *m, const char *key)
{
  for (int i = 0; i < ROOM; i++)
    if (key ? m->keys[i] && !strcmp (m->keys[i], key) : !m->keys[i])
      return i;
  return -1;
}

static void
map_put (map *m, const char *key, int value)
{
  pthread_mutex_lock (&m->lock);
  int slot = slot_of (m, NULL);
  assert (slot >= 0);
  m->keys[slot] = key;
  m->values[slot] = value;
  pthread_mutex_unlock (&m->lock);
}

static int
map_get (map *m, const char *key)
{
  pthread_mutex_lock (&m->lock);
  int slot = slot_of (m, key), value = slot < 0 ? 0 : m->values[slot];
  pthread_mutex_unlock (&m->lock);
  return value;
}

static int
map_remove (map *m, const char *key)
{
  pthread_mutex_lock (&m->lock);
  int slot = slot_of (m, key), value = slot < 0 ? 0 : m->values[slot];
  if (slot >= 0)
    m->keys[slot] = NULL;
  pthread_mutex_unlock (&m->lock);
  return value;
}

static void
run_statements (void)
{
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock (&engine);
    ran++;
    pthread_mutex_unlock (&engine);
  }
}

static void *
client (void *arg)
{
  run_statements ();
  if (map_get (&statements, query)) {
    int removed = map_remove (&statements, query);
    assert (removed); /* it was there */
    (void)removed;
  }
  return arg;
}

static void *
cleaner (void *arg)
{
  run_statements ();
  usleep (20000); /* until statements are old */
  map_remove (&statements, query);
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];
  rounds = argc > 1 ? atoi (argv[1]) : 1;
  map_put (&statements, query, 7);
  pthread_create (&threads[0], NULL, client, NULL);
  pthread_create (&threads[1], NULL, cleaner, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  printf ("%ld statements\n", ran);
  return 0;
}
