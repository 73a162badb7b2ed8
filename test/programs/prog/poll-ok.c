/* that something can be read orders, whoever reads it: poll, select, epoll; and
   so does what a file says
   omen: none */
#include "two.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static int polled[2], selected[2], event, epoll, file;
static volatile int x, y, z, v;

static void *
sender (void *arg)
{
  uint64_t one = 1;
  x = 1;
  if (write (polled[1], "!", 1) != 1)
    abort ();
  y = 1;
  if (write (selected[1], "!", 1) != 1)
    abort ();
  z = 1;
  if (write (event, &one, sizeof one) != sizeof one)
    abort ();
  v = 1;
  if (write (file, "!", 1) != 1)
    abort ();
  return arg;
}

static void *
receiver (void *arg)
{
  struct pollfd fd = { polled[0], POLLIN, 0 };
  struct epoll_event told;
  char sign;
  fd_set set;
  if (poll (&fd, 1, -1) != 1 || x != 1)
    abort ();
  x = 2;
  FD_ZERO (&set);
  FD_SET (selected[0], &set);
  if (select (selected[0] + 1, &set, NULL, NULL, NULL) != 1 || y != 1)
    abort ();
  y = 2;
  if (epoll_wait (epoll, &told, 1, -1) != 1 || z != 1)
    abort ();
  z = 2;
  while (pread (file, &sign, 1, 0) != 1)
    usleep (1000);
  if (v != 1)
    abort ();
  v = 2;
  return arg;
}

int
main (void)
{
  char name[] = "poll-ok-XXXXXX";
  struct epoll_event in = { .events = EPOLLIN | EPOLLET };
  file = mkstemp (name);
  unlink (name);
  epoll = epoll_create1 (0);
  event = eventfd (0, EFD_NONBLOCK);
  if (file < 0 || pipe (polled) || pipe (selected)
      || epoll_ctl (epoll, EPOLL_CTL_ADD, event, &in))
    return 1;
  run_two (sender, receiver);
  return 0;
}
