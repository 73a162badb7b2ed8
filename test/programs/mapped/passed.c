/* a child passes on what one thread has written to another one
   omen: none */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *box;
static int data;

static void *
writer (void *arg)
{
  data = 5;
  box[0] = 1;
  return arg;
}

static void *
reader (void *arg)
{
  usleep (5000);
  while (!box[2048])
    usleep (200);
  data++;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  int fd = memfd_create ("box", 0);
  if (fd < 0 || ftruncate (fd, 16384))
    return 1;
  box = mmap (NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  pid_t child = fork ();
  if (!child) {
    while (!box[0])
      usleep (200);
    box[2048] = 1;
    _exit (0);
  }
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  waitpid (child, NULL, 0);
  return data != 6;
}
