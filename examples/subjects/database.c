/* A client opens a connection, makes a table, lets a worker fill it, drops the
   table and closes. The worker says that it is done before it does the last thing.

   database [ROUNDS]: so many rows are inserted before. */
#include "object.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct connection {
  pthread_mutex_t lock;
  char table[16]; /* the one that there is */
  long rows;
  int open;
} connection;

OBJECT (connection, server, { .lock = PTHREAD_MUTEX_INITIALIZER })
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int waiting = 1, rounds;

/* ---- the database ---- */

static connection *
db_open (void)
{
  pthread_mutex_lock (&THE (server)->lock);
  THE (server)->open = 1;
  pthread_mutex_unlock (&THE (server)->lock);
  return THE (server);
}

static void
db_close (connection *c)
{
  pthread_mutex_lock (&c->lock);
  c->open = 0;
  pthread_mutex_unlock (&c->lock);
}

static void
db_create (connection *c, const char *table)
{
  pthread_mutex_lock (&c->lock);
  strncpy (c->table, table, sizeof c->table - 1);
  pthread_mutex_unlock (&c->lock);
}

static void
db_delete (connection *c, const char *table)
{
  pthread_mutex_lock (&c->lock);
  if (!strcmp (c->table, table))
    c->table[0] = 0;
  pthread_mutex_unlock (&c->lock);
}

static void
db_update (const char *table)
{
  pthread_mutex_lock (&THE (server)->lock);
  if (!THE (server)->open || strcmp (THE (server)->table, table)) {
    fprintf (stderr, "no table %s\n", table);
    exit (1);
  }
  THE (server)->rows++;
  pthread_mutex_unlock (&THE (server)->lock);
}

/* ---- the client ---- */

static const char *const orders = "orders";

static void
insert_rows (connection *c)
{
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock (&c->lock);
    c->rows++;
    pthread_mutex_unlock (&c->lock);
  }
}

static void *
worker (void *arg)
{
  insert_rows (arg);
  pthread_mutex_lock (&lock);
  waiting--; /* too early */
  pthread_cond_signal (&all_done);
  pthread_mutex_unlock (&lock);
  db_update (orders);
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t thread;
  rounds = argc > 1 ? atoi (argv[1]) : 1;
  connection *c = db_open ();
  db_create (c, orders);
  pthread_create (&thread, NULL, worker, c);
  pthread_mutex_lock (&lock);
  while (waiting)
    pthread_cond_wait (&all_done, &lock);
  pthread_mutex_unlock (&lock);
  usleep (200000); /* the report is written */
  db_delete (c, orders);
  db_close (c);
  pthread_join (thread, NULL);
  printf ("%ld rows\n", c->rows);
  return 0;
}
