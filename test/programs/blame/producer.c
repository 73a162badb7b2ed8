/* A circular buffer whose producer looks for room, puts and counts in one
   section each. Who calls it again and again is no news. */
#include <pthread.h>

#define SLOTS 16

static struct {
  int slots[SLOTS];
  int in, out, count, produced, dropped, last, most, sum;
} buffer;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int
room (void)
{
  pthread_mutex_lock (&lock);
  int free = SLOTS - buffer.count;
  pthread_mutex_unlock (&lock);
  return free;
}

static void
put (int item)
{
  pthread_mutex_lock (&lock);
  buffer.slots[buffer.in] = item;
  buffer.in = (buffer.in + 1) % SLOTS;
  buffer.count++;
  pthread_mutex_unlock (&lock);
}

static void
count (int item)
{
  pthread_mutex_lock (&lock);
  buffer.produced++;
  buffer.last = item;
  if (buffer.count > buffer.most)
    buffer.most = buffer.count;
  buffer.sum += item;
  pthread_mutex_unlock (&lock);
}

static void
produce (int item)
{
  if (room () > 0) {
    put (item);
    count (item);
    return;
  }
  pthread_mutex_lock (&lock);
  buffer.dropped++;
  pthread_mutex_unlock (&lock);
}

static void
produce_all (int items)
{
  for (int i = 0; i < items; i++)
    produce (i);
}

static void
consume (void)
{
  pthread_mutex_lock (&lock);
  if (buffer.count) {
    buffer.sum -= buffer.slots[buffer.out];
    buffer.slots[buffer.out] = -1;
    buffer.out = (buffer.out + 1) % SLOTS;
    buffer.count--;
    buffer.last = -1;
    buffer.most = 0;
  }
  pthread_mutex_unlock (&lock);
}

static void *
producer (void *unused)
{
  produce_all (20);
  return unused;
}

static void *
consumer (void *unused)
{
  for (int i = 0; i < 40; i++)
    consume ();
  return unused;
}

int
main (void)
{
  pthread_t threads[3];
  pthread_create (&threads[0], NULL, producer, NULL);
  pthread_create (&threads[1], NULL, producer, NULL);
  pthread_create (&threads[2], NULL, consumer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
