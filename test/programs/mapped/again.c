/* a file that is mapped, written, unmapped, and mapped again, mostly at the
   same address
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd, data;

static void *
writer (void *arg)
{
  volatile int *map
      = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  data = 5;
  map[7] = 1;
  munmap ((void *)map, 4096);
  return arg;
}

static int
is_set (void)
{
  volatile int *map
      = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  int set = map[7];
  munmap ((void *)map, 4096);
  return set;
}

static void *
reader (void *arg)
{
  usleep (2000);
  while (!is_set ())
    usleep (200);
  data++;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  fd = memfd_create ("again", 0);
  if (fd < 0 || ftruncate (fd, 4096))
    return 1;
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return data != 6;
}
