// An epoll tells some events once only; looking whether there is one does not
// take it away.
//: hb >=4
//: ha >=3
//: ext 0
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int early, late, data;

static int
watch (int fd, unsigned flags)
{
  struct epoll_event in = { .events = EPOLLIN | flags };
  int epoll = epoll_create1 (0);
  return epoll_ctl (epoll, EPOLL_CTL_ADD, fd, &in) ? -1 : epoll;
}

static void *
other (void *arg)
{
  data = 7;
  eventfd_write (late, 1);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  struct epoll_event told;
  early = eventfd (1, 0);
  late = eventfd (0, 0);
  int edge = watch (early, EPOLLET), once = watch (early, EPOLLONESHOT);
  int epoll = watch (late, EPOLLET);
  pthread_create (&thread, NULL, other, NULL);
  printf ("%d\n", epoll_wait (edge, &told, 1, -1));
  printf ("%d\n", epoll_wait (once, &told, 1, -1));
  printf ("%d\n", epoll_wait (once, &told, 1, 1));
  printf ("%d\n", epoll_wait (epoll, &told, 1, -1));
  printf ("%d\n", data);
  pthread_join (thread, NULL);
  return 0;
}
