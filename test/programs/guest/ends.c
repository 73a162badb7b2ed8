/* Ways for a program to end; the word is the argument. Prints as it goes, so
   that output can be compared, too. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter;
static int shown = 1; /* is the counter worth showing? */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
count (void)
{
  pthread_mutex_lock (&lock);
  counter++;
  pthread_mutex_unlock (&lock);
}

static void
last_words (void)
{
  count ();
  printf ("atexit %d\n", shown * counter);
}

__attribute__ ((constructor)) static void
before_main (void)
{
  count ();
}

__attribute__ ((destructor)) static void
after_main (void)
{
  count ();
  printf ("destructor %d\n", shown * counter);
  fflush (stdout);
}

static void *
count_for_ever (void *unused)
{
  for (;;)
    count ();
  return unused;
}

static void
start (void *(*what) (void *))
{
  pthread_t thread;
  pthread_create (&thread, NULL, what, NULL);
}

static void
reply (int child)
{
  int status;
  waitpid (child, &status, 0);
  printf ("child ended with %d, signal %d\n", WEXITSTATUS (status),
          WTERMSIG (status));
  fflush (stdout);
}

static _Atomic long atomic;

static void *
add_for_ever (void *unused)
{
  for (;;)
    atomic++;
  return unused;
}

/* Children of a process whose other threads are in the midst of things. */
static void
fork_many (void)
{
  start (add_for_ever);
  start (add_for_ever);
  for (int i = 0; i < 30; i++) {
    int child = fork ();
    if (!child) {
      for (int k = 0; k < 1000; k++)
        atomic++;
      _exit (5);
    }
    reply (child);
  }
}

/* Each thread has one lock and waits for the other's, until it is killed. */
static pthread_mutex_t here = PTHREAD_MUTEX_INITIALIZER,
                       there = PTHREAD_MUTEX_INITIALIZER;

static void *
take_both (void *swapped)
{
  pthread_mutex_lock (swapped ? &there : &here);
  usleep (20000);
  pthread_mutex_lock (swapped ? &here : &there);
  return swapped;
}

static void
lock_up (void)
{
  pthread_t first, second;
  pthread_create (&first, NULL, take_both, NULL);
  pthread_create (&second, NULL, take_both, &lock);
  pthread_join (first, NULL);
  pthread_join (second, NULL);
}

static void *
end_process (void *unused)
{
  count ();
  exit (9);
}

static void *
leave_late (void *unused)
{
  usleep (20000);
  count ();
  printf ("last thread %d\n", counter);
  fflush (stdout);
  return unused;
}

static void
in_child (const char *how)
{
  int child = !strcmp (how, "vfork") ? vfork () : fork ();
  if (!child) {
    count ();
    if (!strcmp (how, "fork-exec"))
      execlp ("echo", "echo", "from the child", NULL);
    if (!strcmp (how, "fork-main"))
      exit (4);
    if (!strcmp (how, "fork-crash"))
      abort ();
    _exit (5);
  }
  reply (child);
  count ();
}

/* How many descriptors each of a line of children has. */
static void
generations (int left)
{
  int descriptors = 0, child;
  DIR *folder = opendir ("/proc/self/fd");
  while (folder && readdir (folder))
    descriptors++;
  closedir (folder);
  printf ("descriptors %d\n", descriptors);
  fflush (stdout);
  if (!left)
    return;
  child = fork ();
  if (child)
    waitpid (child, NULL, 0);
  else
    generations (left - 1);
}

static void
overflow (volatile char *before)
{
  volatile char room[4096];
  room[0] = before ? *before : 0;
  overflow (room);
  room[1] = room[0];
}

static void
on_abort (int number)
{
  count ();
  if (write (1, "handled\n", 8) != 8)
    _exit (99);
}

static int
end (const char *how, char **argv)
{
  if (!strcmp (how, "_exit"))
    _exit (7);
  if (!strcmp (how, "_Exit"))
    _Exit (7);
  if (!strcmp (how, "quick_exit"))
    quick_exit (8);
  if (!strcmp (how, "exit"))
    exit (6);
  if (!strcmp (how, "abort"))
    abort ();
  if (!strcmp (how, "abort-handled")) {
    signal (SIGABRT, on_abort);
    abort ();
  }
  if (!strcmp (how, "fault"))
    *(volatile int *)8 = 1;
  if (!strcmp (how, "overflow"))
    overflow (NULL);
  if (!strcmp (how, "divide")) {
    volatile int zero = 0;
    return 1 / zero;
  }
  if (!strncmp (how, "signal-", 7)) {
    raise (atoi (how + 7));
    return 0;
  }
  if (!strcmp (how, "busy-others")) {
    shown = 0;
    start (count_for_ever);
    start (count_for_ever);
    usleep (5000);
    return 3;
  }
  if (!strcmp (how, "other-exits")) {
    start (end_process);
    for (;;)
      pause ();
  }
  if (!strcmp (how, "main-leaves")) {
    start (leave_late);
    pthread_exit (NULL);
  }
  if (!strcmp (how, "exec")) {
    execl ("/nonexistent/program", "program", NULL);
    count ();
    execlp ("echo", "echo", "another program", NULL);
  }
  if (!strcmp (how, "exec-again")) {
    char *words[] = { argv[0], "exit", NULL };
    execv (argv[0], words);
  }
  if (!strcmp (how, "bare-fork")) {
    int child = (int)syscall (SYS_fork);
    for (int i = 0; i < 10000; i++)
      count ();
    if (!child)
      _exit (2);
    reply (child);
    return 0;
  }
  if (!strcmp (how, "close-all")) {
    for (int fd = 3; fd < 4096; fd++)
      close (fd);
    for (int i = 0; i < 10000; i++)
      count ();
    return 0;
  }
  if (!strcmp (how, "steal-file")) {
    for (int fd = 3; fd < 4096; fd++)
      close (fd);
    for (int fd = 3; fd < 1000; fd++)
      if (dup (1) < 0)
        return 98;
    for (int i = 0; i < 10000; i++)
      count ();
    return 0;
  }
  if (!strcmp (how, "generations"))
    generations (5);
  if (!strcmp (how, "generations-lost")) {
    if (unlink ("lost/run.omen") || rmdir ("lost"))
      return 98;
    generations (3);
  }
  if (!strcmp (how, "deadlock"))
    lock_up ();
  if (!strcmp (how, "fork-many"))
    fork_many ();
  else if (strstr (how, "fork"))
    in_child (how);
  return 0;
}

int
main (int argc, char **argv)
{
  struct rlimit none = { 0, 0 };
  const char *how = argc > 1 ? argv[1] : "return";
  setrlimit (RLIMIT_CORE, &none);
  atexit (last_words);
  count ();
  printf ("main %d\n", counter);
  fflush (stdout);
  return end (how, argv);
}
