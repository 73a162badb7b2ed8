// What goes through a pipe orders the two ends.
//: hb >=11
//: ha >=11
//: ext 0
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int fds[2], data[10];

static void *
write_all (void *arg)
{
  for (int i = 0; i < 10; i++) {
    data[i] = i;
    if (write (fds[1], &i, sizeof i) != sizeof i)
      return NULL;
  }
  close (fds[1]);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  int i, sum = 0;
  if (pipe (fds))
    return 1;
  pthread_create (&thread, NULL, write_all, NULL);
  while (read (fds[0], &i, sizeof i) == sizeof i)
    sum += data[i];
  pthread_join (thread, NULL);
  close (fds[0]);
  printf ("%d\n", sum);
  return 0;
}
