/* The scheduler (src/runtime/sched*.c) with real threads and none of the rest
   of the runtime. Each run is a process of its own: its story, a letter a step,
   comes back through a pipe, and its exit code. */
#include "runtime/hooks/cancel.h"
#include "runtime/core/core.h"
#include "runtime/core/rt.h"
#include "runtime/core/stuck.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STORY = 60000, CODE_DEADLOCK = 42, CODE_TWO_AT_ONCE = 43 };

static char story[STORY];
static size_t told;
static int inside; /* threads between two of their points: 0 or 1 */

/* What the scheduler wants of the rest. */
void
omen_cancel_test (void)
{
}

void
omen_stuck_record (void)
{
}

void
omen_stuck_look (void)
{
}

void
omen_stuck_over (void)
{
}

void
omen_stuck_endless (void)
{
}

void
omen_log_flush_all (void)
{
  _exit (CODE_DEADLOCK);
}

/* … and a plan of replay, which this test has none of. */
OMEN_TLS uint32_t omen_rt_busy, omen_rt_disabled;

const uint8_t *
omen_table_at (omen_table_name table, size_t offset)
{
  (void)table;
  (void)offset;
  abort ();
}

const char *
omen_string_text (uint32_t id, size_t *length)
{
  (void)id;
  (void)length;
  abort ();
}

void
omen_file_finish (void)
{
}

/* ---- a small threads library on the scheduler ---- */
typedef struct lock {
  bool taken;
} lock;

typedef struct start {
  uint32_t id;
  void (*body) (int);
  int arg;
} start;

static uint32_t threads = 1;      /* the first has id 0 */
static uint32_t late = OMEN_NONE; /* threads with this id % 4 begin late */

static void
say (char letter)
{
  if (told + 1 < STORY)
    story[told++] = letter;
}

static void
step (char letter)
{
  if (inside++)
    _exit (CODE_TWO_AT_ONCE);
  say (letter);
  inside--;
  omen_sched_point ((enum omen_item_kind)OMEN_SITE_STORE, NULL);
}

static void
take (lock *l)
{
  while (l->taken)
    omen_sched_wait (l);
  l->taken = true;
  omen_sched_point (OMEN_ITEM_ACQUIRE, l);
}

static void
give (lock *l)
{
  l->taken = false;
  omen_sched_wake (l, false);
  omen_sched_point (OMEN_ITEM_RELEASE, l);
}

static void *
run_thread (void *arg)
{
  start s = *(start *)arg;
  free (arg);
  if (s.id % 4 == late)
    usleep (400000);
  omen_sched_thread_begin (s.id);
  s.body (s.arg);
  omen_sched_thread_end (s.id);
  return NULL;
}

static uint32_t
spawn (void (*body) (int), int arg)
{
  pthread_t thread;
  start *s = malloc (sizeof *s);
  *s = (start){ threads++, body, arg };
  uint32_t id = s->id;
  omen_sched_thread_new (id);
  if (pthread_create (&thread, NULL, run_thread, s))
    abort ();
  pthread_detach (thread);
  omen_sched_thread_made (id);
  return id;
}

/* ---- the programs ---- */
static lock one, two;
static volatile int flag;
static int channel[2];
static int queue, full;

static void
count (int n)
{
  for (int i = 0; i < 100; i++)
    step ((char)('a' + n));
}

static void
critical (int n)
{
  for (int i = 0; i < 20; i++) {
    take (&one);
    step ((char)('a' + n));
    step ((char)('A' + n));
    give (&one);
    step ('.');
  }
}

static void
four (void (*body) (int))
{
  uint32_t ids[4];
  for (int i = 0; i < 4; i++)
    ids[i] = spawn (body, i);
  for (int i = 0; i < 4; i++)
    omen_sched_join (ids[i]);
}

static void
counters (void)
{
  four (count);
}

static void
locks (void)
{
  four (critical);
}

/* The kernel lets the last one wait before it begins, as on a busy machine,
   while others are parked. */
static void
late_counters (void)
{
  late = 0;
  four (count);
}

/* In a round of story "aA", never "abA". */
static void
use_queue (int n)
{
  for (int i = 0; i < 10; i++) {
    if (n % 2) {
      queue++;
      omen_sched_wake (&full, n == 1);
    } else {
      while (!queue)
        omen_sched_wait (&full);
      queue--;
    }
    step ((char)('a' + n));
  }
}

static void
queues (void)
{
  four (use_queue);
}

static void
cross (int n)
{
  take (n ? &two : &one);
  while (!flag)
    omen_sched_wait ((void *)&flag);
  take (n ? &one : &two);
}

static void
deadlock (void)
{
  uint32_t id = spawn (cross, 0);
  spawn (cross, 1);
  while (!one.taken || !two.taken)
    omen_sched_yield ();
  flag = 1;
  omen_sched_wake ((void *)&flag, true);
  omen_sched_join (id);
}

/* Reads what a thread writes that can go on only if this one sleeps. */
static void
read_announced (int n)
{
  char c;
  omen_sched_leave ();
  if (read (channel[0], &c, 1) != 1)
    abort ();
  omen_sched_return ();
  say (c);
}

static void
read_silently (int n)
{
  char c;
  if (read (channel[0], &c, 1) != 1)
    abort ();
  step (c);
}

static void
read_polling (int n)
{
  for (int i = 0; i < 20; i++) {
    char c;
    omen_sched_wait_fd (channel[0], POLLIN);
    if (read (channel[0], &c, 1) != 1)
      abort ();
    step (c);
  }
}

static void
feed (int letters)
{
  for (int i = 0; i < letters; i++) {
    char c = (char)('a' + i);
    step ('.');
    step ('.');
    if (write (channel[1], &c, 1) != 1)
      abort ();
    step ('!');
  }
}

static void
kernel (void)
{
  uint32_t reader = spawn (read_announced, 0);
  feed (1);
  omen_sched_join (reader);
}

static void
kernel_silent (void)
{
  uint32_t reader = spawn (read_silently, 0);
  omen_sched_sleep (5000000);
  feed (1);
  omen_sched_join (reader);
}

static void
kernel_polled (void)
{
  uint32_t reader = spawn (read_polling, 0);
  feed (20);
  omen_sched_join (reader);
}

/* Nobody inside can help: the letter comes from outside, later. */
static void
outside (void)
{
  pid_t child = fork ();
  if (!child) {
    usleep (50000);
    _exit (write (channel[1], "x", 1) != 1);
  }
  uint32_t reader = spawn (read_announced, 0);
  omen_sched_join (reader);
  omen_sched_wait_fd (channel[1], POLLOUT);
  waitpid (child, NULL, 0);
}

static void
sleep_and_tell (int n)
{
  omen_sched_sleep ((uint64_t)(40 - 10 * n) * 1000000);
  step ((char)('a' + n));
}

static void
sleepers (void)
{
  four (sleep_and_tell);
}

static void
timeouts (void)
{
  step (omen_sched_wait_for (&one, 1000000) ? 'w' : 't');
  uint32_t id = spawn (sleep_and_tell, 3);
  step (omen_sched_wait_for (&two, 60000000) ? 'w' : 't');
  omen_sched_join (id);
}

static void
spin (int how)
{
  for (int i = 0; !flag; i++) {
    if (how)
      omen_sched_yield ();
    omen_sched_point ((enum omen_item_kind)OMEN_SITE_LOAD, NULL);
    if (i > 100000000)
      abort ();
  }
  say ('s');
}

static void
set_flag (int n)
{
  if (n)
    omen_sched_sleep (20000000);
  for (int i = 0; i < 10; i++)
    step ('.');
  flag = 1;
}

static void
spinners (void)
{
  uint32_t ids[] = { spawn (spin, 0), spawn (spin, 1), spawn (set_flag, 0) };
  for (int i = 0; i < 3; i++)
    omen_sched_join (ids[i]);
}

static void
spin_for_sleeper (void)
{
  uint32_t ids[] = { spawn (spin, 0), spawn (set_flag, 1) };
  omen_sched_join (ids[0]);
  omen_sched_join (ids[1]);
}

static void
spin_disabled (int n)
{
  while (!flag)
    __asm__ volatile ("pause");
  step ('d');
}

static void
deaf (void)
{
  uint32_t ids[] = { spawn (spin_disabled, 0), spawn (set_flag, 1) };
  omen_sched_join (ids[0]);
  omen_sched_join (ids[1]);
}

static void
nothing (int n)
{
  if (n % 100 == 0)
    step ((char)('a' + n / 100));
}

static void
storm (void)
{
  for (int i = 0; i < 500; i++)
    omen_sched_join (spawn (nothing, i));
  for (int i = 0; i < 200; i++)
    spawn (nothing, i);
  omen_sched_sleep (1000000);
}

static void
wait_for_ever (int n)
{
  omen_sched_wait (&two);
  say ('i');
}

/* main leaves by _exit while others wait. */
static void
leaver (void)
{
  for (int i = 0; i < 4; i++)
    spawn (wait_for_ever, i);
  for (int i = 0; i < 20; i++)
    step ('m');
}

static void
interrupted (void)
{
  uint32_t id = spawn (wait_for_ever, 0);
  omen_sched_sleep (5000000);
  omen_sched_interrupt (id);
  omen_sched_join (id);
}

static void
forking (void)
{
  uint32_t other = spawn (count, 0);
  int status;
  step ('m');
  omen_sched_fork_begin ();
  pid_t child = fork ();
  omen_sched_fork_end (!child);
  if (!child) {
    told = 0;
    uint32_t id = spawn (count, 1);
    omen_sched_join (id);
    _exit (told != 100 || memchr (story, 'a', told));
  }
  omen_sched_leave ();
  waitpid (child, &status, 0);
  omen_sched_return ();
  omen_sched_join (other);
  say (status ? 'F' : 'f');
}

static pthread_t first;
static void
on_signal (int number)
{
  step ('h');
  take (&two);
  say ('H');
  give (&two);
}

static void
send_signal (int n)
{
  for (int i = 0; i < 5; i++) {
    take (&two);
    step ('s');
    pthread_kill (first, SIGUSR1);
    omen_sched_sleep (3000000);
    give (&two);
  }
  give (&one);
}

static void
signals (void)
{
  first = pthread_self ();
  signal (SIGUSR1, on_signal);
  one.taken = true;
  spawn (send_signal, 0);
  take (&one);
  step ('e');
}

/* ---- running them ---- */
static int
run (const char *schedule, void (*program) (void), char *text)
{
  int back[2], status;
  size_t length = 0;
  ssize_t got;
  fflush (stdout);
  if (pipe (back) || pipe (channel))
    abort ();
  pid_t child = fork ();
  if (!child) {
    alarm (60);
    close (2); /* what the scheduler says of deadlocks */
    if (!omen_sched_start (schedule))
      _exit (99);
    omen_sched_thread_begin (0);
    program ();
    _exit (write (back[1], story, told) != (ssize_t)told);
  }
  close (back[1]);
  while ((got = read (back[0], text + length, STORY - 1 - length)) > 0)
    length += (size_t)got;
  text[length] = 0;
  close (back[0]);
  close (channel[0]);
  close (channel[1]);
  waitpid (child, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

static int failures;
static char text_a[STORY], text_b[STORY];

static void
expect (bool ok, const char *name, const char *schedule)
{
  printf ("%s - %s%s%s\n", ok ? "ok" : "not ok", name, schedule ? ", " : "",
          schedule ? schedule : "");
  failures += !ok;
}

static const char *const all[]
    = { "rr",      "random:1", "random:2", "random:77",
        "pct:1,3", "pct:9,1",  "pct:4,10" };

static void
repeats (const char *name, void (*program) (void), size_t length)
{
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    int a = run (all[i], program, text_a), b = run (all[i], program, text_b);
    bool ok = !a && !b && !strcmp (text_a, text_b)
              && (!length || strlen (text_a) == length);
    expect (ok, name, all[i]);
    if (!ok)
      printf ("# codes %d %d\n# %.300s\n# %.300s\n", a, b, text_a, text_b);
  }
}

static void
ends (const char *name, void (*program) (void), int code, const char *wanted)
{
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    int seen = run (all[i], program, text_a);
    bool ok = seen == code && (!wanted || !strcmp (text_a, wanted));
    expect (ok, name, all[i]);
    if (!ok)
      printf ("# code %d\n# %.300s\n", seen, text_a);
  }
}

static unsigned
differing (const char *kind, void (*program) (void))
{
  char schedule[32];
  unsigned count = 0;
  run ("rr", program, text_a);
  for (int seed = 0; seed < 10; seed++) {
    snprintf (schedule, sizeof schedule, "%s:%d", kind, seed);
    run (schedule, program, text_b);
    count += strcmp (text_a, text_b) != 0;
    strcpy (text_a, text_b);
  }
  return count;
}

static bool
never_torn (const char *text)
{
  for (; *text; text++)
    if (*text >= 'a' && *text <= 'z' && !strchr (text, *text - 'a' + 'A'))
      return false;
  return true;
}

/* When a thread begins does not change the order. */
static void
late_begins (void)
{
  int a = run ("random:1", counters, text_a);
  int b = run ("random:1", late_counters, text_b);
  expect (!a && !b && !strcmp (text_a, text_b), "a thread that begins late",
          "random:1");
}

static void
texts (void)
{
  static const char *const bad[]
      = { "random", "random:",   "random:x", "pct:1,", "pct:1,2,3", "rr:3",
          "x",      "random:1 ", "free",     "rrr",    "" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    expect (run (bad[i], counters, text_a) == 99, "refused", bad[i]);
}

int
main (void)
{
  repeats ("four counters repeat", counters, 400);
  late_begins ();
  repeats ("locks repeat", locks, 4 * 60);
  expect (never_torn (text_a), "sections are whole", NULL);
  repeats ("queues repeat", queues, 40);
  expect (differing ("random", locks) > 8, "random seeds differ", NULL);
  expect (differing ("pct", locks) > 5, "pct seeds differ", NULL);
  ends ("a deadlock is seen", deadlock, CODE_DEADLOCK, NULL);
  ends ("blocked in the kernel", kernel, 0, NULL);
  ends ("blocked without a word", kernel_silent, 0, NULL);
  repeats ("a pipe between threads repeats", kernel_polled, 80);
  ends ("woken from outside", outside, 0, "x");
  ends ("sleepers in order of time", sleepers, 0, "dcba");
  ends ("timed waits run out", timeouts, 0, "tdt");
  ends ("spin loops end", spinners, 0, NULL);
  repeats ("spin loops repeat", spinners, 0);
  repeats ("a spin loop for one who sleeps repeats", spin_for_sleeper, 0);
  expect (!run ("pct:3,2", deaf, text_a), "a loop without points", NULL);
  repeats ("many threads", storm, 7);
  repeats ("others wait when the program ends", leaver, 20);
  ends ("an interrupted wait", interrupted, 0, "i");
  ends ("fork", forking, 0, NULL);
  ends ("signals", signals, 0, NULL);
  texts ();
  return failures ? 1 : 0;
}
