/* as prog/loops-mapped.c, with a reader that begins when the writer has ended:
   what it reads first is what the writer wrote at the other address
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int *to, *from;
static int data;

static void *
writer (void *arg)
{
  data = 5;
  for (int i = 0; i < 200; i++)
    to[i] = 1;
  return arg;
}

__attribute__ ((noinline)) static int
sum (const int *at)
{
  int all = 0;
  for (int i = 0; i < 200; i++)
    all += at[i];
  return all;
}

static void *
reader (void *arg)
{
  usleep (2000);
  while (sum (from) < 200)
    usleep (200);
  data++;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  int fd = memfd_create ("flags", 0);
  if (fd < 0 || ftruncate (fd, 4096))
    return 1;
  to = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  from = mmap (NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return data != 6;
}
