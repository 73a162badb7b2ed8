/* a mapped file is written by pwrite before anybody has read it
   omen: none */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd, data;
static const volatile int *map;

static void *
writer (void *arg)
{
  const int one = 1;
  data = 5;
  return pwrite (fd, &one, sizeof one, 64) == sizeof one ? arg : NULL;
}

static void *
reader (void *arg)
{
  usleep (2000);
  while (!map[16])
    usleep (200);
  data++;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  fd = memfd_create ("written", 0);
  if (fd < 0 || ftruncate (fd, 4096))
    return 1;
  map = mmap (NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return data != 6;
}
