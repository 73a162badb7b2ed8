/* shared memory without a file at a second address, by mremap; then at a third
   one, where it was moved to
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *one, *two;
static int data;

static void *
writer (void *arg)
{
  data = 5;
  one[3] = 1;
  return arg;
}

static void *
reader (void *arg)
{
  usleep (2000);
  while (!two[3])
    usleep (200);
  data++;
  return arg;
}

static void
do_both (void)
{
  pthread_t threads[2];
  data = 0;
  one[3] = 0;
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
}

int
main (void)
{
  one = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
              -1, 0);
  two = mremap ((void *)one, 0, 4096, MREMAP_MAYMOVE);
  if (two == MAP_FAILED)
    return 1;
  do_both ();
  two = mremap ((void *)two, 4096, 8192, MREMAP_MAYMOVE);
  if (two == MAP_FAILED)
    return 2;
  do_both ();
  return data != 6;
}
