/* What functions of libc read of the program's memory, which another thread
   changes before or after that.
   omen: none */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char a[8] = "a", b[8] = "b", c[8] = "c", d[8] = "d", e[8] = "e";

static void *
change (void *arg)
{
  pthread_mutex_lock (&m);
  a[0] = b[0] = c[0] = d[0] = e[0] = 'x';
  pthread_mutex_unlock (&m);
  return arg;
}

int
main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, change, NULL);
  pthread_mutex_lock (&m);
  puts (a);
  fputs (b, stdout);
  printf ("%s\n", c);
  fwrite (d, 1, 2, stdout);
  if (write (1, e, 2) != 2)
    return 1;
  pthread_mutex_unlock (&m);
  pthread_join (thread, NULL);
  return 0;
}
