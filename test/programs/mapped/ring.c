/* a ring buffer that is mapped twice in a row, so that what runs over its end is
   in one piece
   omen: none in what is not mapped */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096, PIECE = 24, PIECES = 400 };

static volatile char *ring;
static int data;

static void *
writer (void *arg)
{
  char piece[PIECE];
  data = 5;
  for (int i = 1; i <= PIECES; i++) {
    memset (piece, i, PIECE);
    memcpy ((char *)ring + (i * PIECE) % SIZE, piece, PIECE);
  }
  return arg;
}

static void *
reader (void *arg)
{
  const int last = (PIECES * PIECE) % SIZE;
  usleep (2000);
  while (ring[last + PIECE - 1] != (char)PIECES)
    usleep (200);
  data++;
  return arg;
}

int
main (void)
{
  pthread_t threads[2];
  int fd = memfd_create ("ring", 0);
  if (fd < 0 || ftruncate (fd, SIZE))
    return 1;
  ring = mmap (NULL, 2 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2; i++)
    mmap ((char *)ring + i * SIZE, SIZE, PROT_READ | PROT_WRITE,
          MAP_SHARED | MAP_FIXED, fd, 0);
  pthread_create (&threads[0], NULL, writer, NULL);
  pthread_create (&threads[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  return data != 6;
}
