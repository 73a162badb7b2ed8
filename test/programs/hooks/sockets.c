// A pair of sockets, a connection, an eventfd; poll and readv.
//: hb >=5
//: ha >=4
//: ext 0
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int pair[2], server, event, data;

static void *
other (void *arg)
{
  struct sockaddr_in to;
  socklen_t length = sizeof to;
  uint64_t one = 1;
  char text[8] = "";
  data = 1;
  send (pair[1], "abcdef", 6, 0);
  recv (pair[1], text, 2, MSG_WAITALL);
  printf ("%s\n", text);
  int client = socket (AF_INET, SOCK_STREAM, 0);
  getsockname (server, (struct sockaddr *)&to, &length);
  connect (client, (struct sockaddr *)&to, length);
  data = 2;
  if (write (client, "x", 1) != 1)
    return NULL;
  close (client);
  data = 3;
  if (write (event, &one, sizeof one) != sizeof one)
    return NULL;
  return arg;
}

int
main (void)
{
  pthread_t thread;
  uint64_t count;
  char a[3], b[4], c;
  struct sockaddr_in any = { .sin_family = AF_INET,
                             .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct iovec parts[] = { { a, 3 }, { b, 3 } };
  server = socket (AF_INET, SOCK_STREAM, 0);
  event = eventfd (0, 0);
  if (socketpair (AF_UNIX, SOCK_STREAM, 0, pair)
      || bind (server, (struct sockaddr *)&any, sizeof any)
      || listen (server, 1))
    return 1;
  pthread_create (&thread, NULL, other, NULL);
  struct pollfd ready = { .fd = pair[0], .events = POLLIN };
  printf ("%d\n", poll (&ready, 1, -1));
  printf ("%d\n", (int)readv (pair[0], parts, 2));
  printf ("%.3s%.3s %d\n", a, b, data);
  fflush (stdout);
  sendto (pair[0], "yz", 2, 0, NULL, 0);
  int one = accept (server, NULL, NULL);
  printf ("%d\n", (int)read (one, &c, 1));
  printf ("%c %d\n", c, (int)read (event, &count, sizeof count));
  printf ("%d %d\n", (int)count, data);
  pthread_join (thread, NULL);
  return 0;
}
