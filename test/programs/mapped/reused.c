/* an address that belongs to one file, then to another one, which have other
   addresses as well; then to the heap
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 1 << 18 };

static volatile int *one, *two;
static int data;
static int *heap;

static void *
writer (void *arg)
{
  data = 5;
  one[3] = 1;
  for (int i = 0; i < 9; i++)
    heap[i] = i;
  return arg;
}

static void *
reader (void *arg)
{
  usleep (2000);
  while (!two[3])
    usleep (200);
  data++;
  for (int i = 0; i < 9; i++)
    data += two[100 + i];
  return arg;
}

static int
do_both (void)
{
  pthread_t threads[2];
  int fd = memfd_create ("one", 0);
  if (fd < 0 || ftruncate (fd, SIZE))
    return 1;
  one = mmap (NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  two = mmap (NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  heap = malloc (SIZE - 32);
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  free (heap);
  munmap ((void *)one, SIZE);
  return data != 6;
}

int
main (void)
{
  return do_both () || do_both () || do_both ();
}
