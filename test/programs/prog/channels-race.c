/* each talks through channels, to streams and files, but not to the other: that
   orders nothing
   omen: race */
#include "two.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct channels {
  int pipe[2], sockets[2], event;
} channels;

static channels mine[2];
static volatile int x;

/* Through all of them, and back. */
static void
talk (const channels *c)
{
  char sign;
  eventfd_t value;
  if (write (c->pipe[1], "!", 1) != 1 || read (c->pipe[0], &sign, 1) != 1
      || write (c->sockets[0], "!", 1) != 1
      || read (c->sockets[1], &sign, 1) != 1 || eventfd_write (c->event, 1)
      || eventfd_read (c->event, &value))
    abort ();
  fprintf (stderr, "talked\n");
}

static void *
first (void *arg)
{
  x = 1;
  talk (&mine[0]);
  return arg;
}

static void *
second (void *arg)
{
  usleep (20000);
  talk (&mine[1]);
  x = 2;
  return arg;
}

int
main (void)
{
  for (int i = 0; i < 2; i++) {
    mine[i].event = eventfd (0, 0);
    if (pipe (mine[i].pipe)
        || socketpair (AF_UNIX, SOCK_STREAM, 0, mine[i].sockets))
      return 1;
  }
  run_two (first, second);
  return 0;
}
