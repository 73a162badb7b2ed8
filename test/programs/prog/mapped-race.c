/* two threads use the same word of a file at two addresses
   omen: race */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;

static void *
user (void *arg)
{
  volatile int *map
      = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  map[9]++;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  fd = memfd_create ("race", 0);
  if (fd < 0 || ftruncate (fd, 4096))
    return 1;
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
