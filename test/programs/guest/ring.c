/* Goes on for so long that a ring overwrites how it began; everything that can
   be going on at the moment at which the rest begins is going on. At the end,
   if asked to, a mistake.

     ring ROUNDS [race|deadlock|none] [THREADS] [PARTS] */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, OWN = 192 };

static int rounds, threads = 4;
static const char *mistake = "none", *parts = "ltsmhc";

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, nested,
                       queue = PTHREAD_MUTEX_INITIALIZER,
                       left = PTHREAD_MUTEX_INITIALIZER,
                       right = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t many = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t all;
static sem_t one;
static pthread_spinlock_t spin;
static atomic_int odd;
static int counter, depth, turn, passed, table[16], by_one, met, wrong;

static struct node {
  struct node *next;
  int value;
} *list;

static long own[MOST][OWN]; /* a thread's own: most of what is noted */

static void
locks (int i, int id)
{
  pthread_mutex_lock (&plain);
  counter++;
  pthread_mutex_unlock (&plain);
  pthread_mutex_lock (&nested);
  pthread_mutex_lock (&nested);
  depth++;
  pthread_mutex_unlock (&nested);
  depth++;
  pthread_mutex_unlock (&nested);
  if (i % 3 == id % 3) {
    pthread_rwlock_wrlock (&many);
    table[i % 16] = i;
    pthread_rwlock_unlock (&many);
  } else {
    int sum = 0;
    pthread_rwlock_rdlock (&many);
    for (int k = 0; k < 16; k++)
      sum += table[k];
    pthread_rwlock_unlock (&many);
    atomic_fetch_add (&odd, sum & 1);
  }
  if (i % 7 == 0 && !pthread_mutex_trylock (&left))
    pthread_mutex_unlock (&left);
}

static void
in_turn (int id)
{
  pthread_mutex_lock (&queue);
  while (turn != id)
    pthread_cond_wait (&next, &queue);
  turn = (turn + 1) % threads;
  passed++;
  pthread_cond_broadcast (&next);
  pthread_mutex_unlock (&queue);
}

static void
through_one (void)
{
  sem_wait (&one);
  by_one++;
  sem_post (&one);
}

static void
meet (int id)
{
  pthread_barrier_wait (&all);
  if (!id)
    met = 0;
  pthread_barrier_wait (&all);
}

/* Blocks go from thread to thread. */
static void
hand_over (int i)
{
  struct node *node = malloc (sizeof *node), *old = NULL;
  node->value = i;
  pthread_spin_lock (&spin);
  node->next = list;
  list = node;
  if (i % 2) {
    old = list->next;
    list->next = old ? old->next : NULL;
  }
  pthread_spin_unlock (&spin);
  free (old);
}

static void *
child (void *argument)
{
  ++*(int *)argument;
  return argument;
}

static void
have_child (int i)
{
  pthread_t t;
  int value = i;
  if (pthread_create (&t, NULL, child, &value))
    abort ();
  pthread_join (t, NULL);
  if (value != i + 1)
    abort ();
}

static void
go_wrong (int id)
{
  if (!strcmp (mistake, "race") && id < 2)
    wrong++;
  if (strcmp (mistake, "deadlock") || id > 1)
    return;
  pthread_mutex_lock (id ? &left : &right);
  pthread_mutex_lock (id ? &right : &left);
  pthread_mutex_unlock (&left);
  pthread_mutex_unlock (&right);
}

static int
has (char part)
{
  return strchr (parts, part) != NULL;
}

static void *
worker (void *argument)
{
  int id = (int)(long)argument;
  for (int i = 0; i < rounds; i++) {
    for (int k = 0; k < OWN; k++)
      own[id][k] += k ^ i;
    if (has ('l'))
      locks (i, id);
    if (has ('t'))
      in_turn (id);
    if (has ('s'))
      through_one ();
    if (has ('m') && i % 16 == 3)
      meet (id);
    if (has ('h'))
      hand_over (i);
    if (has ('c') && i % 32 == id)
      have_child (i);
  }
  go_wrong (id);
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t t[MOST];
  pthread_mutexattr_t recursive;
  rounds = argc > 1 ? atoi (argv[1]) : 100;
  if (argc > 2)
    mistake = argv[2];
  if (argc > 3)
    threads = atoi (argv[3]);
  if (argc > 4)
    parts = argv[4];
  pthread_mutexattr_init (&recursive);
  pthread_mutexattr_settype (&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&nested, &recursive);
  pthread_spin_init (&spin, 0);
  sem_init (&one, 0, 1);
  pthread_barrier_init (&all, NULL,
                        strcmp (mistake, "deadlock") ? (unsigned)threads : 2);
  if (!strcmp (mistake, "deadlock"))
    threads = 2;
  for (long i = 0; i < threads; i++)
    pthread_create (&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < threads; i++)
    pthread_join (t[i], NULL);
  printf ("%d %d\n", counter, passed);
  return 0;
}
