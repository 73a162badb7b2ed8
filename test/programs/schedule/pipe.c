/* Threads that talk through a pipe, and a child process. repeats. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int ends[2], sum;
static void *
reader (void *unused)
{
  char c;
  while (read (ends[0], &c, 1) == 1)
    sum += c;
  return NULL;
}
static void *
writer (void *unused)
{
  for (char c = 1; c <= 20; c++)
    if (write (ends[1], &c, 1) != 1)
      return NULL;
  close (ends[1]);
  return NULL;
}
int
main (void)
{
  pthread_t threads[2];
  int status;
  if (pipe (ends))
    return 1;
  pthread_create (&threads[0], NULL, reader, NULL);
  pthread_create (&threads[1], NULL, writer, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  pid_t child = fork ();
  if (!child)
    _exit (3);
  waitpid (child, &status, 0);
  printf ("%d %d\n", sum, WEXITSTATUS (status)); /* wanted: 210 3 */
  return 0;
}
