/* Locks that are taken and given up with nothing, one item and more in between:
   what the recorder makes one note of, and what it must not. What each thread
   does is the same in every run.

     sections all */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, ROUNDS = 500 };

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER,
                       other = PTHREAD_MUTEX_INITIALIZER, recursive,
                       mine[THREADS];
static pthread_spinlock_t spin;
static pthread_rwlock_t both = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static long count[3]; /* one for each lock */

/* Long enough that what was noted before is written meanwhile, now and then. */
static void
compute (void)
{
  for (int i = 0; i < 100000; i++)
    __asm__ volatile ("");
}

static void
alone (void)
{
  pthread_mutex_lock (&shared);
  count[0]++;
  pthread_mutex_unlock (&shared);
  pthread_spin_lock (&spin);
  count[1]++;
  pthread_spin_unlock (&spin);
  pthread_rwlock_wrlock (&both);
  count[2]++;
  pthread_rwlock_unlock (&both);
}

static void *
with_one (void)
{
  pthread_mutex_lock (&shared);
  void *block = malloc (24);
  pthread_mutex_unlock (&shared);
  pthread_mutex_lock (&shared);
  pthread_cond_signal (&condition);
  pthread_mutex_unlock (&shared);
  return block;
}

static void
with_more (void *block)
{
  pthread_mutex_lock (&shared);
  free (block);
  pthread_cond_broadcast (&condition);
  pthread_mutex_unlock (&shared);
}

static void
nested (void)
{
  pthread_mutex_lock (&shared);
  pthread_mutex_lock (&other);
  pthread_mutex_unlock (&shared);
  pthread_mutex_unlock (&other);
  pthread_mutex_lock (&shared);
  pthread_mutex_lock (&other);
  pthread_mutex_unlock (&other);
  pthread_mutex_unlock (&shared);
  pthread_mutex_lock (&recursive);
  pthread_mutex_lock (&recursive);
  pthread_mutex_unlock (&recursive);
  pthread_mutex_unlock (&recursive);
}

static void *
work (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    alone ();
    with_more (with_one ());
    nested ();
    pthread_mutex_lock (arg);
    compute ();
    pthread_mutex_unlock (arg);
  }
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[THREADS];
  pthread_mutexattr_t how;
  if (argc != 2)
    return 2;
  pthread_mutexattr_init (&how);
  pthread_mutexattr_settype (&how, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&recursive, &how);
  pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, work, &mine[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  printf ("%s: %ld\n", argv[1], count[0] + count[1] + count[2]);
  return 0;
}
