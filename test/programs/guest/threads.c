/* Threads in numbers and at their ends; the word is the argument. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

enum { MANY = 500, STORMS = 40, STORM = 50, MAKERS = 6, MADE = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counter;
static pthread_key_t first, second;
static pthread_barrier_t barrier;

static void *
count (void *times)
{
  for (long i = 0; i < (long)times; i++) {
    pthread_mutex_lock (&lock);
    counter++;
    pthread_mutex_unlock (&lock);
  }
  return times;
}

static void *
wait_and_count (void *times)
{
  pthread_barrier_wait (&barrier);
  return count (times);
}

static void
many (void)
{
  pthread_t threads[MANY];
  pthread_attr_t small;
  pthread_attr_init (&small);
  pthread_attr_setstacksize (&small, 65536);
  pthread_barrier_init (&barrier, NULL, MANY);
  for (long i = 0; i < MANY; i++)
    if (pthread_create (&threads[i], &small, wait_and_count, (void *)(i % 7)))
      exit (90);
  for (long i = 0; i < MANY; i++) {
    void *value;
    pthread_join (threads[i], &value);
    if (value != (void *)(i % 7))
      exit (91);
  }
}

static void
wait_for (long number)
{
  for (long seen = 0; seen < number; usleep (1000)) {
    pthread_mutex_lock (&lock);
    seen = counter;
    pthread_mutex_unlock (&lock);
  }
}

static void
storms (void)
{
  for (int s = 0; s < STORMS; s++) {
    pthread_t threads[STORM];
    for (int i = 0; i < STORM; i++)
      pthread_create (&threads[i], NULL, count, (void *)3);
    for (int i = 0; i < STORM; i++)
      if (i % 3)
        pthread_join (threads[i], NULL);
      else
        pthread_detach (threads[i]);
  }
  wait_for (3L * STORMS * STORM);
}

static void *
leave (void *unused)
{
  count ((void *)2);
  pthread_exit ((void *)17);
}

static void
tidy_up (void *unused)
{
  count ((void *)1);
}

static void *
be_cancelled (void *unused)
{
  pthread_cleanup_push (tidy_up, NULL);
  for (;;)
    usleep (1000);
  pthread_cleanup_pop (0);
  return unused;
}

static void
ends (void)
{
  pthread_t thread;
  void *value;
  pthread_create (&thread, NULL, leave, NULL);
  pthread_join (thread, &value);
  printf ("exited with %ld\n", (long)value);
  pthread_create (&thread, NULL, be_cancelled, NULL);
  usleep (2000);
  pthread_cancel (thread);
  pthread_join (thread, &value);
  printf ("cancelled %d\n", value == PTHREAD_CANCELED);
  pthread_create (&thread, NULL, count, (void *)1);
  while (pthread_tryjoin_np (thread, NULL) == EBUSY)
    usleep (1000);
}

/* Destructors that give themselves a value again, until the last round. */
static void
destroy (void *value)
{
  count ((void *)1);
  pthread_setspecific (value == (void *)1 ? first : second, value);
}

static void *
have_keys (void *unused)
{
  pthread_setspecific (first, (void *)1);
  pthread_setspecific (second, (void *)2);
  return unused;
}

static void
keys (void)
{
  pthread_t threads[20];
  pthread_key_create (&first, destroy);
  pthread_key_create (&second, destroy);
  for (int i = 0; i < 20; i++)
    pthread_create (&threads[i], NULL, have_keys, NULL);
  for (int i = 0; i < 20; i++)
    pthread_join (threads[i], NULL);
}

static int
count11 (void *times)
{
  count (times);
  return 12;
}

static void
c11 (void)
{
  thrd_t thread;
  int value;
  thrd_create (&thread, count11, (void *)5);
  thrd_join (thread, &value);
  printf ("c11 %d\n", value);
}

static void *
make_more (void *depth)
{
  pthread_t threads[2];
  count ((void *)1);
  for (int i = 0; depth && i < 2; i++)
    pthread_create (&threads[i], NULL, make_more, (char *)depth - 1);
  for (int i = 0; depth && i < 2; i++)
    pthread_join (threads[i], NULL);
  return NULL;
}

/* The child takes away where its handle is: libc has done with it by then. */
static void *
take_away (void *page)
{
  munmap (page, 4096);
  return count ((void *)1);
}

static void
handles (void)
{
  pthread_t thread;
  for (int i = 0; i < 200; i++) {
    void *page = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t detached;
    pthread_attr_init (&detached);
    pthread_attr_setdetachstate (&detached, PTHREAD_CREATE_DETACHED);
    pthread_create (page, &detached, take_away, page);
    pthread_create (&thread, NULL, count, (void *)1);
    pthread_detach (thread);
  }
  wait_for (400);
}

static void
too_large (void)
{
  pthread_t thread;
  pthread_attr_t huge;
  pthread_attr_init (&huge);
  pthread_attr_setstacksize (&huge, (size_t)1 << 46);
  printf ("no thread: %d\n", pthread_create (&thread, &huge, count, NULL) != 0);
}

/* One after another, while others do the same: handles come again at once. */
static void *
make_many (void *unused)
{
  pthread_t thread;
  for (int i = 0; i < MADE; i++)
    if (pthread_create (&thread, NULL, count, (void *)1)
        || pthread_join (thread, NULL))
      exit (95);
  return unused;
}

static void
again (void)
{
  pthread_t threads[MAKERS];
  for (int i = 0; i < MAKERS; i++)
    if (pthread_create (&threads[i], NULL, make_many, NULL))
      exit (96);
  for (int i = 0; i < MAKERS; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "ends";
  if (!strcmp (what, "many"))
    many ();
  if (!strcmp (what, "storms"))
    storms ();
  if (!strcmp (what, "ends"))
    ends ();
  if (!strcmp (what, "keys"))
    keys ();
  if (!strcmp (what, "c11"))
    c11 ();
  if (!strcmp (what, "tree"))
    make_more ((void *)5);
  if (!strcmp (what, "again"))
    again ();
  if (!strcmp (what, "handles"))
    handles ();
  if (!strcmp (what, "too-large"))
    too_large ();
  pthread_mutex_lock (&lock);
  printf ("%ld\n", counter);
  pthread_mutex_unlock (&lock);
  return 0;
}
