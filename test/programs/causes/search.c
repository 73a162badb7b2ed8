/* A searcher: threads take file names from a queue and count lines that have a
   word; the total of all is added to without the lock. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  struct job *next;
  char *name;
};
static struct job *first, **last = &first;
static int closed;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static const char *word;
static long total;

static void
put (const char *folder, const char *name)
{
  struct job *job = malloc (sizeof *job);
  job->next = NULL;
  if (asprintf (&job->name, "%s/%s", folder, name) < 0)
    abort ();
  pthread_mutex_lock (&queue);
  *last = job;
  last = &job->next;
  pthread_cond_signal (&more);
  pthread_mutex_unlock (&queue);
}

static struct job *
take (void)
{
  struct job *job;
  pthread_mutex_lock (&queue);
  while (!first && !closed)
    pthread_cond_wait (&more, &queue);
  job = first;
  if (job) {
    first = job->next;
    if (!first)
      last = &first;
  }
  pthread_mutex_unlock (&queue);
  return job;
}

static long
count_in (const char *name)
{
  FILE *file = fopen (name, "r");
  char *line = NULL;
  size_t room = 0;
  long count = 0;
  if (!file)
    return 0;
  while (getline (&line, &room, file) > 0)
    if (strstr (line, word)) {
      count++;
      printf ("%s: %s", name, line);
    }
  free (line);
  fclose (file);
  return count;
}

static void *
worker (void *arg)
{
  struct job *job;
  while ((job = take ())) {
    total += count_in (job->name);
    free (job->name);
    free (job);
  }
  return arg;
}

int
main (int argc, char **argv)
{
  enum { WORKERS = 3 };
  pthread_t threads[WORKERS];
  DIR *dir;
  struct dirent *entry;
  word = argv[1];
  for (int i = 0; i < WORKERS; i++)
    pthread_create (&threads[i], NULL, worker, NULL);
  dir = opendir (argv[2]);
  while ((entry = readdir (dir)))
    if (entry->d_name[0] != '.')
      put (argv[2], entry->d_name);
  closedir (dir);
  pthread_mutex_lock (&queue);
  closed = 1;
  pthread_cond_broadcast (&more);
  pthread_mutex_unlock (&queue);
  for (int i = 0; i < WORKERS; i++)
    pthread_join (threads[i], NULL);
  printf ("%ld\n", total);
  return 0;
}
