/* Bytes that are copied and filled, short and long, and looked at afterwards.

     ranges copies      copies of all sizes, also within one block
     ranges fills       whole buffers again and again
     ranges threads     the same under a lock, from several threads */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 9000, THREADS = 3 };

static unsigned char from[LONGEST + 64], to[LONGEST + 64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;

/* Of a size that the compiler does not know. */
static volatile size_t sizes[] = { 1,  2,  3,  4,    7,    8,    9,    15, 16,
                                   17, 31, 33, 4095, 4096, 4097, 8999, 5 };

/* At both ends, and where pieces meet. */
static void
look (const unsigned char *bytes, size_t size)
{
  unsigned long all = 0;
  for (size_t i = 0; i < size; i += i == 40 && size > 100 ? size - 80 : 1)
    all = all * 31 + bytes[i];
  for (size_t i = 4090; i < 4100 && i < size; i++)
    all = all * 31 + bytes[i];
  sum += all;
}

static void
copies (unsigned seed)
{
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t size = sizes[i];
    for (size_t k = 0; k < size; k += size < 100 ? 1 : 7)
      from[k] = (unsigned char)(seed + k * k / 3);
    memcpy (to + i, from, size);
    look (to + i, size);
    memmove (to + 5, to, size);
    look (to, size + 5);
    memmove (to, to + 3, size);
    look (to, size + 3);
  }
}

static void
fills (unsigned seed)
{
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    memset (to + i, (int)(seed + i), sizes[i]);
    look (to + i, sizes[i]);
  }
}

static void
many_fills (void)
{
  for (unsigned i = 0; i < 300; i++)
    memset (to, (int)i, sizes[15]);
  look (to, sizes[15]);
}

static void *
work (void *seed)
{
  for (unsigned i = 0; i < 2; i++) {
    pthread_mutex_lock (&lock);
    copies (*(unsigned *)seed + i);
    fills (i);
    pthread_mutex_unlock (&lock);
  }
  return NULL;
}

static void
threads (void)
{
  static unsigned seeds[THREADS] = { 1, 1, 1 };
  pthread_t ids[THREADS];
  for (unsigned i = 0; i < THREADS; i++)
    pthread_create (&ids[i], NULL, work, &seeds[i]);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (ids[i], NULL);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "copies";
  if (!strcmp (what, "fills"))
    many_fills ();
  else if (!strcmp (what, "threads"))
    threads ();
  else
    copies (7);
  printf ("%lu\n", what[0] == 't' ? sum != 0 : sum);
  return 0;
}
