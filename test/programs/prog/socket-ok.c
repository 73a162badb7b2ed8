/* sockets order: connecting does, datagrams do, and so does what a nameless
   end writes
   omen: none */
#include "two.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_in to_inet, to_datagram;
static struct sockaddr_un to_unix;
static int inet, datagram, local;
static volatile int x, y, z, v;

static int
make (int type, struct sockaddr_in *address)
{
  socklen_t length = sizeof *address;
  int fd = socket (AF_INET, type, 0);
  *address = (struct sockaddr_in){
    .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK)
  };
  if (fd < 0 || bind (fd, (struct sockaddr *)address, length)
      || getsockname (fd, (struct sockaddr *)address, &length))
    abort ();
  return fd;
}

static void *
sender (void *arg)
{
  int a = socket (AF_INET, SOCK_STREAM, 0);
  int b = socket (AF_INET, SOCK_DGRAM, 0);
  int c = socket (AF_UNIX, SOCK_STREAM, 0);
  x = 1;
  if (connect (a, (struct sockaddr *)&to_inet, sizeof to_inet))
    abort ();
  y = 1;
  if (sendto (b, "!", 1, 0, (struct sockaddr *)&to_datagram,
              sizeof to_datagram)
          != 1
      || connect (c, (struct sockaddr *)&to_unix, sizeof to_unix))
    abort ();
  z = 1;
  if (write (c, "!", 1) != 1)
    abort ();
  v = 1;
  if (write (a, "!", 1) != 1)
    abort ();
  return arg;
}

static void *
receiver (void *arg)
{
  char sign;
  int a = accept (inet, NULL, NULL);
  if (a < 0 || x != 1)
    abort ();
  x = 2;
  if (recv (datagram, &sign, 1, 0) != 1 || y != 1)
    abort ();
  y = 2;
  int c = accept (local, NULL, NULL);
  if (c < 0 || read (c, &sign, 1) != 1 || z != 1)
    abort ();
  z = 2;
  if (read (a, &sign, 1) != 1 || v != 1)
    abort ();
  v = 2;
  return arg;
}

int
main (void)
{
  inet = make (SOCK_STREAM, &to_inet);
  datagram = make (SOCK_DGRAM, &to_datagram);
  local = socket (AF_UNIX, SOCK_STREAM, 0);
  to_unix.sun_family = AF_UNIX; /* and a name that no file has */
  snprintf (to_unix.sun_path + 1, 40, "omen-%d", (int)getpid ());
  if (bind (local, (struct sockaddr *)&to_unix, sizeof to_unix)
      || listen (local, 1) || listen (inet, 1))
    return 1;
  run_two (sender, receiver);
  return 0;
}
