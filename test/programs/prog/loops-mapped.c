/* as loops.c, in memory that has two addresses: what one thread writes by one of
   them the other one sees by the other, in loops that could be noted whole; only
   the flags race
   omen: race (mapped@1) */
#define _GNU_SOURCE
#include "two.h"

#include <sys/mman.h>
#include <unistd.h>

enum { FLAGS = 400 };

static int *to, *from;
static volatile int data;

static void *
writer (void *arg)
{
  usleep (20000);
  data = 5;
  for (int i = 0; i < FLAGS; i++)
    to[i] = 1;
  return arg;
}

__attribute__ ((noinline)) static int
sum (const int *at)
{
  int all = 0;
  for (int i = 0; i < FLAGS; i++)
    all += at[i];
  return all;
}

static void *
reader (void *arg)
{
  while (sum (from) < FLAGS)
    usleep (1000);
  data++;
  return arg;
}

int
main (void)
{
  int fd = memfd_create ("flags", 0);
  if (fd < 0 || ftruncate (fd, 4096))
    return 1;
  to = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  from = mmap (NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  run_two (writer, reader);
  return data != 6;
}
