/* Threads that run freely, each in its own way hard to stop: for rings that
   have to find moments at which all stand still. Only `wild` is raced for; all
   else is in order, and whether it was is checked.

     halt ROUNDS PARTS

   l: lists under a lock   a: spin locks of atomics   s: one sleeps, one waits
   for input   n: one computes in code that is not woven   c: threads come and
   go g: signals   f: children   m: copies   r: races */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 3, LINE = 64 };

static int rounds;
static const char *parts;
static int wild;

static int
has (char part)
{
  return strchr (parts, part) != NULL;
}

static void
expect (int good, const char *what)
{
  if (good)
    return;
  fprintf (stderr, "halt: %s\n", what);
  _exit (1);
}

/* ---- l ---- */

static struct node {
  struct node *next;
  long value;
} *list;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static long list_sum, list_length;

static void
use_list (int i)
{
  struct node *node = malloc (sizeof *node), *old = NULL;
  long sum = 0, length = 0;
  node->value = i % 5;
  pthread_mutex_lock (&list_lock);
  node->next = list;
  list = node;
  list_sum += node->value;
  list_length++;
  if (list_length > 8) {
    old = list->next;
    list->next = old->next;
    list_sum -= old->value;
    list_length--;
  }
  for (node = list; node; node = node->next) {
    sum += node->value;
    length++;
  }
  expect (sum == list_sum && length == list_length, "the list is wrong");
  pthread_mutex_unlock (&list_lock);
  free (old);
}

/* ---- a ---- */

static atomic_int spin, turn;
static long spun, own_turns[WORKERS];

static void
spin_lock (void)
{
  while (atomic_exchange (&spin, 1))
    while (atomic_load (&spin))
      ;
}

static void
use_atomics (int id)
{
  spin_lock ();
  spun++;
  atomic_store (&spin, 0);
  if (id < 2) { /* two that take turns, in vain for a while */
    for (int k = 0; k < 100 && atomic_load (&turn) != id; k++)
      ;
    if (atomic_load (&turn) == id) {
      own_turns[id]++;
      atomic_store (&turn, 1 - id);
    }
  }
}

/* ---- m ---- */

static pthread_mutex_t line_lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[4][LINE];

static void
use_copies (int i)
{
  char mine[LINE];
  pthread_mutex_lock (&line_lock);
  memcpy (mine, lines[i % 4], LINE);
  for (int k = 1; k < LINE; k++)
    expect (mine[k] == mine[0], "a line is torn");
  memset (lines[i % 4], i % 50, LINE);
  memmove (lines[(i + 1) % 4], lines[i % 4], LINE);
  pthread_mutex_unlock (&line_lock);
}

/* ---- c ---- */

static void *
short_life (void *argument)
{
  long *value = argument;
  ++*value;
  return value;
}

static void *
forgotten (void *argument)
{
  free (argument);
  return NULL;
}

static void
use_threads (int i)
{
  pthread_t t;
  long value = i;
  expect (!pthread_create (&t, NULL, short_life, &value), "no thread");
  pthread_join (t, NULL);
  expect (value == i + 1, "a thread did not run");
  if (i % 256)
    return;
  expect (!pthread_create (&t, NULL, forgotten, malloc (8)), "no thread");
  pthread_detach (t);
}

/* ---- g ---- */

static atomic_int handled;

static void
on_signal (int number)
{
  atomic_fetch_add (&handled, 1);
}

static void
start_signals (void)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  struct itimerval timer = { { 0, 700 }, { 0, 700 } };
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &timer, NULL);
}

static void
stop_signals (void)
{
  struct itimerval timer = { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_REAL, &timer, NULL);
}

/* ---- f ---- */

static void
use_children (void)
{
  int status = 0;
  pid_t child = fork ();
  if (!child)
    _exit (7);
  while (waitpid (child, &status, 0) < 0)
    ;
  expect (WIFEXITED (status) && WEXITSTATUS (status) == 7, "a child is lost");
}

/* ---- s, n ---- */

static atomic_int over;
static int ends[2];

static void *
sleeper (void *argument)
{
  const struct timespec moment = { 0, 3000000 };
  long naps = 0;
  while (!atomic_load (&over)) {
    nanosleep (&moment, NULL);
    naps++;
  }
  *(long *)argument = naps;
  return NULL;
}

static void *
reader (void *argument)
{
  char byte;
  while (read (ends[0], &byte, 1) != 1)
    ;
  *(char *)argument = byte;
  return NULL;
}

__attribute__ ((disable_sanitizer_instrumentation, noinline)) static unsigned
not_woven (unsigned turns)
{
  unsigned value = 1;
  while (turns--) {
    value = value * 1664525 + 1013904223;
    __asm__ volatile ("" : "+r"(value));
  }
  return value;
}

static unsigned computed[16];

static void *
computer (void *argument)
{
  for (unsigned i = 0; !atomic_load (&over); i++)
    computed[i % 16] = not_woven (1000000);
  return argument;
}

/* ---- all ---- */

static long own[WORKERS][192]; /* a thread's own: most of what is noted */

static void *
worker (void *argument)
{
  int id = (int)(long)argument;
  for (int i = 0; i < rounds; i++) {
    for (int k = 0; k < 192; k++)
      own[id][k] += k ^ i;
    if (has ('l'))
      use_list (i);
    if (has ('a'))
      use_atomics (id);
    if (has ('m'))
      use_copies (i);
    if (has ('c') && i % 64 == 0)
      use_threads (i);
    if (has ('f') && i % 1024 == 5 && !id)
      use_children ();
    if (has ('r'))
      wild += i % 3;
  }
  return NULL;
}

int
main (int argc, char **argv)
{
  pthread_t t[WORKERS], beside[3];
  long naps = 0;
  char byte = 0;
  rounds = argc > 1 ? atoi (argv[1]) : 100;
  parts = argc > 2 ? argv[2] : "";
  expect (!pipe (ends), "no pipe");
  if (has ('s')) {
    pthread_create (&beside[0], NULL, sleeper, &naps);
    pthread_create (&beside[1], NULL, reader, &byte);
  }
  if (has ('n'))
    pthread_create (&beside[2], NULL, computer, NULL);
  if (has ('g'))
    start_signals ();
  for (long i = 0; i < WORKERS; i++)
    pthread_create (&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < WORKERS; i++)
    pthread_join (t[i], NULL);
  stop_signals ();
  atomic_store (&over, 1);
  if (has ('s')) {
    expect (write (ends[1], "x", 1) == 1, "no write");
    pthread_join (beside[0], NULL);
    pthread_join (beside[1], NULL);
    expect (byte == 'x', "nothing was read");
  }
  if (has ('n'))
    pthread_join (beside[2], NULL);
  expect (!has ('a') || spun == (long)WORKERS * rounds, "a spin lock failed");
  printf ("done\n");
  return 0;
}
