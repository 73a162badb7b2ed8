/* Uses of a closed file: by two threads at a time, and by a child. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
use (void *file)
{
  fileno (file); /* line 10 */
  return NULL;
}

int
main (void)
{
  pthread_t threads[2];
  FILE *file = fopen ("/dev/null", "r");
  fclose (file);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, use, file);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  if (!fork ()) {
    fileno (file); /* line 25 */
    _exit (0);
  }
  wait (NULL);
  return 0;
}
