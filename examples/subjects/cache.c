/* A cache of statements: who does not need one any more looks whether it is still
   there and takes it out; a cleaner takes out what is old. Every operation of the
   map is under its lock.

   cache [ROUNDS]: so many statements are run before. */
#include "subject.h"

#include <assert.h>
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

OBJECT (map, statements, { .lock = PTHREAD_MUTEX_INITIALIZER })
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

static void *
client (void *arg)
{
  work ();
  if (map_get (THE (statements), query)) {
    int removed = map_remove (THE (statements), query);
    assert (removed); /* it was there */
    (void)removed;
  }
  return arg;
}

static void *
cleaner (void *arg)
{
  work ();
  usleep (20000); /* until statements are old */
  map_remove (THE (statements), query);
  return arg;
}

int
main (int argc, char **argv)
{
  map_put (THE (statements), query, 7);
  run_both (argc, argv, client, cleaner);
  printf ("%ld statements\n", work_done);
  return 0;
}
