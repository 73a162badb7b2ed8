/* Two writers and two readers of one LMDB environment:

     lmdb FILE ROUNDS [w: MDB_WRITEMAP]
 */
#include "lmdb.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OK(e)                                                                  \
  do {                                                                         \
    int rc = (e);                                                              \
    if (rc) {                                                                  \
      fprintf (stderr, "%s: %s\n", #e, mdb_strerror (rc));                     \
      exit (1);                                                                \
    }                                                                          \
  } while (0)
static MDB_env *env;
static MDB_dbi dbi;
static int rounds;
static long seen[4];
static void *
writer (void *arg)
{
  long me = (long)arg;
  for (int i = 0; i < rounds; i++) {
    MDB_txn *t;
    OK (mdb_txn_begin (env, NULL, 0, &t));
    for (int j = 0; j < 20; j++) {
      char k[32], v[100];
      memset (v, 'a' + (i + j) % 26, sizeof v);
      int n
          = snprintf (k, sizeof k, "%ld:%06d", me, (i * 7919 + j * 31) % 20000);
      MDB_val key = { n, k }, val = { sizeof v, v };
      OK (mdb_put (t, dbi, &key, &val, 0));
    }
    OK (mdb_txn_commit (t));
  }
  return NULL;
}
static void *
reader (void *arg)
{
  long me = (long)arg;
  for (int i = 0; i < rounds; i++) {
    MDB_txn *t;
    MDB_cursor *c;
    OK (mdb_txn_begin (env, NULL, MDB_RDONLY, &t));
    OK (mdb_cursor_open (t, dbi, &c));
    MDB_val key, val;
    int n = 0;
    char k[32];
    key.mv_size = snprintf (k, sizeof k, "%ld:%06d", me & 1, i * 7919 % 20000);
    key.mv_data = k;
    int rc = mdb_cursor_get (c, &key, &val, MDB_SET_RANGE);
    while (rc == 0 && n++ < 100) {
      seen[me]
          += ((char *)val.mv_data)[0] == ((char *)val.mv_data)[val.mv_size - 1];
      rc = mdb_cursor_get (c, &key, &val, MDB_NEXT);
    }
    mdb_cursor_close (c);
    mdb_txn_abort (t);
  }
  return NULL;
}
int
main (int argc, char **argv)
{
  rounds = argc > 2 ? atoi (argv[2]) : 100;
  OK (mdb_env_create (&env));
  OK (mdb_env_set_mapsize (env, 64 << 20));
  OK (mdb_env_open (env, argv[1],
                    MDB_NOSUBDIR | MDB_NOSYNC | (argc > 3 ? MDB_WRITEMAP : 0),
                    0644));
  MDB_txn *t;
  OK (mdb_txn_begin (env, NULL, 0, &t));
  OK (mdb_dbi_open (t, NULL, 0, &dbi));
  OK (mdb_txn_commit (t));
  pthread_t th[4];
  for (long i = 0; i < 4; i++)
    pthread_create (&th[i], NULL, i < 2 ? writer : reader, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join (th[i], NULL);
  mdb_env_close (env);
  return 0;
}
