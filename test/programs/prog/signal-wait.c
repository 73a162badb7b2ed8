/* waiting for a signal orders, and reading it from a descriptor; a timer orders
   who sets it and what it does
   omen: none */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static sigset_t awaited, by_descriptor, alarms;
static sem_t done;
static int fd;
static volatile int x, y, z, v;
static volatile sig_atomic_t rang;

static void *
waiter (void *arg)
{
  struct signalfd_siginfo info;
  int number;
  if (sigwait (&awaited, &number) || x != 1)
    abort ();
  x = 2;
  if (read (fd, &info, sizeof info) != sizeof info || y != 1)
    abort ();
  y = 2;
  pthread_sigmask (SIG_UNBLOCK, &alarms, NULL);
  while (!rang)
    usleep (1000);
  return arg;
}

static void
on_alarm (int number)
{
  z = z + 1;
  rang = 1;
}

static void
on_timer (union sigval value)
{
  v = v + 1;
  sem_post (&done);
}

static void
block (sigset_t *set, int number)
{
  sigemptyset (set);
  sigaddset (set, number);
  pthread_sigmask (SIG_BLOCK, set, NULL);
}

static void
set_timer (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD };
  struct itimerspec soon = { .it_value.tv_nsec = 20000000 };
  timer_t timer;
  event.sigev_notify_function = on_timer;
  v = 1;
  if (timer_create (CLOCK_MONOTONIC, &event, &timer)
      || timer_settime (timer, 0, &soon, NULL))
    abort ();
}

int
main (void)
{
  pthread_t t;
  struct itimerval soon = { .it_value.tv_usec = 20000 };
  block (&awaited, SIGUSR1);
  block (&by_descriptor, SIGUSR2);
  block (&alarms, SIGALRM);
  signal (SIGALRM, on_alarm);
  fd = signalfd (-1, &by_descriptor, 0);
  sem_init (&done, 0, 0);
  pthread_create (&t, NULL, waiter, NULL);
  x = 1;
  pthread_kill (t, SIGUSR1);
  y = 1;
  kill (getpid (), SIGUSR2);
  z = 1;
  setitimer (ITIMER_REAL, &soon, NULL);
  pthread_join (t, NULL);
  set_timer ();
  sem_wait (&done);
  return v == 2 ? 0 : 1;
}
