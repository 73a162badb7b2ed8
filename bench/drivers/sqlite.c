/* Selects and inserts of several threads, a connection each, in WAL mode:

     sqlite FILE ROUNDS [THREADS]
 */
#include "sqlite3.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static const char *path;
static int rounds;
static int
row (void *n, int c, char **v, char **k)
{
  (*(long *)n)++;
  return 0;
}
static void
sql (sqlite3 *d, const char *s, long *n)
{
  char *e = NULL;
  int rc;
  while ((rc = sqlite3_exec (d, s, row, n, &e)) == SQLITE_BUSY)
    sqlite3_free (e);
  if (rc) {
    fprintf (stderr, "%s: %s\n", s, e);
    exit (1);
  }
}
static sqlite3 *
open_it (void)
{
  sqlite3 *d;
  if (sqlite3_open (path, &d))
    exit (1);
  sqlite3_busy_timeout (d, 10000);
  long n;
  sql (d, "pragma journal_mode=wal; pragma synchronous=off", &n);
  return d;
}
static void *
work (void *arg)
{
  long me = (long)arg, n = 0;
  sqlite3 *d = open_it ();
  char s[200];
  for (int i = 0; i < rounds; i++) {
    if (me & 1)
      snprintf (s, sizeof s,
                "insert into t(a, b) values(%d, 'row %ld %d'), (%d, 'x')",
                i * 7919 % 1000, me, i, i);
    else
      snprintf (s, sizeof s,
                "select a, b from t where a between %d and %d limit 20",
                i % 1000, i % 1000 + 20);
    sql (d, s, &n);
  }
  sqlite3_close (d);
  return (void *)n;
}
int
main (int argc, char **argv)
{
  path = argv[1];
  rounds = atoi (argv[2]);
  int nt = argc > 3 ? atoi (argv[3]) : 4;
  sqlite3 *d = open_it ();
  long n = 0;
  sql (d, "create table t(a int, b text); create index i on t(a)", &n);
  pthread_t t[8];
  for (long i = 0; i < nt; i++)
    pthread_create (&t[i], NULL, work, (void *)i);
  for (int i = 0; i < nt; i++)
    pthread_join (t[i], NULL);
  sqlite3_close (d);
  return 0;
}
