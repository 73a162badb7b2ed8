/* Who sends and who receives do not exclude each other. */
#include <assert.h>
#include <pthread.h>


enum { SIZE = 4, COUNT = 3 };
static volatile int buffer[SIZE], in, out, length;

static void *
first (void *arg)
{
  (void)arg;
  for (int i = 0; i < COUNT; i++) {
    if (length == SIZE)
      continue;
    buffer[in] = i + 1;
    in = (in + 1) % SIZE;
    length++;
  }
  return NULL;
}

static void *
second (void *arg)
{
  (void)arg;
  int wanted = 1;
  for (int i = 0; i < COUNT; i++) {
    if (length <= 0)
      continue;
    int got = buffer[out];
    out = (out + 1) % SIZE;
    length--;
    assert (got == wanted);
    wanted++;
  }
  return NULL;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (length >= 0 && length <= SIZE && (in - out + SIZE) % SIZE == length % SIZE);
  return 0;
}
