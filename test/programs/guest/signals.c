/* Signal handlers that do things; the word is the argument. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long table[100], total;
static volatile long handled, worked;
static sigjmp_buf back;
static sem_t posts;

static void
tick (unsigned us)
{
  struct itimerval every = { { 0, us }, { 0, us } };
  setitimer (ITIMER_REAL, &every, NULL);
}

static void
on (int number, void (*handler) (int), int flags)
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
  sigaction (number, &action, NULL);
}

static void
note (int number)
{
  handled++;
  table[handled % 100] = handled;
}

static void
work (long rounds)
{
  for (long i = 0; i < rounds; i++) {
    worked++;
    table[i % 100] += i;
  }
}

static void
interrupted (void)
{
  on (SIGALRM, note, SA_RESTART);
  tick (300);
  work (100000);
  while (handled < 20)
    work (1000);
  tick (0);
}

/* A lock that the interrupted code never holds. */
static void
take_lock (int number)
{
  pthread_mutex_lock (&lock);
  total++;
  pthread_mutex_unlock (&lock);
  sem_post (&posts);
  handled++;
}

static void *
use_lock (void *unused)
{
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
  for (int i = 0; i < 3000; i++) {
    pthread_mutex_lock (&lock);
    total++;
    pthread_mutex_unlock (&lock);
  }
  return NULL;
}

static void
locking (void)
{
  pthread_t thread;
  sem_init (&posts, 0, 0);
  pthread_create (&thread, NULL, use_lock, NULL);
  on (SIGALRM, take_lock, SA_RESTART);
  tick (200);
  while (handled < 20)
    work (1000);
  tick (0);
  pthread_join (thread, NULL);
  for (long i = 0; i < handled; i++)
    sem_wait (&posts);
  printf ("%d\n", total == 3000 + handled);
}

/* Threads that work while others send them signals, whose handlers use a lock
   that they never hold themselves. */
static pthread_mutex_t own[4] = { PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER };
static long shares[4];
static _Atomic int stop;

static void
take_lock_only (int number)
{
  pthread_mutex_lock (&lock);
  total++;
  pthread_mutex_unlock (&lock);
}

static void *
keep_working (void *which)
{
  long i = (long)which;
  do { /* once in any case: it may begin late */
    pthread_mutex_lock (&own[i]);
    shares[i]++;
    pthread_mutex_unlock (&own[i]);
    table[i * 10 + shares[i] % 10] = shares[i];
  } while (!stop);
  return NULL;
}

static void
storm (void)
{
  pthread_t threads[4];
  on (SIGUSR1, take_lock_only, SA_RESTART);
  for (long i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, keep_working, (void *)i);
  for (int i = 0; i < 200; i++) {
    pthread_kill (threads[i % 4], SIGUSR1);
    if (i % 8 == 0)
      usleep (50);
  }
  stop = 1;
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", total > 0 && shares[0] > 0);
}

/* Handlers that use the atomics of the code that they interrupt, which is seldom
   anywhere else: an operation has happened, or not, and is not noted yet. */
static _Atomic long count, latest;

static void
count_one (int number)
{
  count++;
  latest = count;
}

static void *
keep_counting (void *unused)
{
  for (int i = 0; i < 60000; i++) {
    count += 2;
    if (latest > count)
      abort ();
  }
  while (!stop)
    usleep (100);
  return NULL;
}

static void
counting (void)
{
  pthread_t threads[3];
  on (SIGUSR1, count_one, SA_RESTART);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, keep_counting, NULL);
  for (int i = 0; i < 3000; i++) {
    pthread_kill (threads[i % 3], SIGUSR1);
    if (i % 4 == 0)
      usleep (20);
  }
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  printf ("%d\n", count > 360000 && count <= 363000);
}

/* Atomic operations that fault: the handler makes them possible, or leaves; others
   go on with the same atomic, at once. All the while other signals come. */
static _Atomic long *page;

static void
open_page (int number)
{
  mprotect (page, 4096, PROT_READ | PROT_WRITE);
  if (++handled % 4 == 0)
    siglongjmp (back, 1);
}

static void *
use_page (void *unused)
{
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
  *page += 1;
  return NULL;
}

static void
atomic_faults (void)
{
  pthread_t thread;
  time_t start = time (NULL);
  page = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  on (SIGSEGV, open_page, SA_NODEFER);
  on (SIGALRM, count_one, SA_RESTART);
  tick (100);
  for (volatile int i = 0; i < 400; i++) {
    if (!sigsetjmp (back, 1))
      *page += 1;
    if (i % 100 == 99) {
      pthread_create (&thread, NULL, use_page, NULL);
      pthread_join (thread, NULL);
    }
    mprotect (page, 4096, PROT_NONE);
  }
  tick (0);
  mprotect (page, 4096, PROT_READ);
  printf ("%ld %ld %d\n", handled, *page, time (NULL) - start < 5);
}

static void
jump (int number)
{
  handled++;
  siglongjmp (back, 1);
}

static void
jumping (void)
{
  on (SIGALRM, jump, 0);
  for (volatile int i = 0; i < 30; i++)
    if (!sigsetjmp (back, 1)) {
      ualarm (200, 0);
      for (;;)
        work (10);
    }
  printf ("%ld\n", handled);
}

static void
nest (int number)
{
  handled++;
  table[number] = handled;
  if (number < SIGRTMIN + 5)
    raise (number + 1);
  table[number]++;
}

static void
nesting (void)
{
  for (int i = 0; i <= 5; i++)
    on (SIGRTMIN + i, nest, 0);
  for (int i = 0; i < 100; i++)
    raise (SIGRTMIN);
  printf ("%ld\n", handled);
}

static void
own_stack (void)
{
  static char space[65536];
  stack_t stack = { .ss_sp = space, .ss_size = sizeof space };
  sigaltstack (&stack, NULL);
  on (SIGUSR1, note, SA_ONSTACK);
  on (SIGUSR2, jump, SA_ONSTACK);
  for (int i = 0; i < 50; i++) {
    raise (SIGUSR1);
    if (!sigsetjmp (back, 1))
      raise (SIGUSR2);
  }
  printf ("%ld\n", handled);
}

/* What the program sees of its own actions. */
static void
views (void)
{
  struct sigaction seen;
  sigaction (SIGTERM, NULL, &seen);
  printf ("default %d\n", seen.sa_handler == SIG_DFL);
  on (SIGTERM, note, SA_NODEFER);
  sigaction (SIGTERM, NULL, &seen);
  printf ("handler %d, flags %d\n", seen.sa_handler == note,
          seen.sa_flags == SA_NODEFER || seen.sa_flags == 0x44000000);
  printf ("old %d\n", signal (SIGTERM, SIG_IGN) == note);
  raise (SIGTERM);
  printf ("ignored %d\n", signal (SIGTERM, SIG_DFL) == SIG_IGN);
  on (SIGUSR1, note, SA_RESETHAND);
  raise (SIGUSR1);
  sigaction (SIGUSR1, NULL, &seen);
  printf ("once %d %ld\n", seen.sa_handler == SIG_DFL, handled);
  printf ("bad %d %d\n", sigaction (SIGKILL, &seen, NULL),
          sigaction (999, NULL, &seen));
  fflush (stdout);
  raise (SIGUSR1);
}

static void
on_fault (int number, siginfo_t *info, void *context)
{
  handled++;
  printf ("fault at %p\n", info->si_addr);
  fflush (stdout);
  siglongjmp (back, 1);
}

static void
faults (void)
{
  struct sigaction action
      = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
  sigaction (SIGSEGV, &action, NULL);
  for (volatile long i = 1; i < 4; i++)
    if (!sigsetjmp (back, 1))
      *(volatile char *)(i * 16) = 1;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "interrupted";
  if (!strcmp (what, "interrupted"))
    interrupted ();
  if (!strcmp (what, "locking"))
    locking ();
  if (!strcmp (what, "storm"))
    storm ();
  if (!strcmp (what, "counting"))
    counting ();
  if (!strcmp (what, "atomic-faults"))
    atomic_faults ();
  if (!strcmp (what, "jumping"))
    jumping ();
  if (!strcmp (what, "nesting"))
    nesting ();
  if (!strcmp (what, "own-stack"))
    own_stack ();
  if (!strcmp (what, "views"))
    views ();
  if (!strcmp (what, "faults"))
    faults ();
  return 0;
}
