/* lifetime: none
   Descriptors are made, handed over by a queue, used and closed: their numbers come
   again. */
#include "two.h"

#include <fcntl.h>

enum { FILES = 6 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int handed = -1;

static void *
opens (void *arg)
{
  for (int i = 0; i < FILES; i++) {
    int file = open ("/dev/null", O_WRONLY);
    (void)!write (file, "a", 1);
    pthread_mutex_lock (&lock);
    while (handed >= 0)
      pthread_cond_wait (&changed, &lock);
    handed = file;
    pthread_cond_signal (&changed);
    pthread_mutex_unlock (&lock);
  }
  return arg;
}

static void *
closes (void *arg)
{
  for (int i = 0; i < FILES; i++) {
    int file;
    pthread_mutex_lock (&lock);
    while (handed < 0)
      pthread_cond_wait (&changed, &lock);
    file = handed;
    handed = -1;
    pthread_cond_signal (&changed);
    pthread_mutex_unlock (&lock);
    (void)!write (file, "b", 1);
    close (file);
  }
  return arg;
}

int
main (void)
{
  run_two (opens, closes);
  return 0;
}
