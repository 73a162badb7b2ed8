/* Loggers and their manager, each with a lock: who makes a logger has the
   manager's and takes the logger's, who changes a logger's level has its lock and
   asks the manager.

   logger [ROUNDS]: so many lines are written before. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t manager = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t logger = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER;
static int loggers, level, rounds;
static long lines;

static void lock_manager (void) { pthread_mutex_lock (&manager); }
static void unlock_manager (void) { pthread_mutex_unlock (&manager); }
static void lock_logger (void) { pthread_mutex_lock (&logger); }
static void unlock_logger (void) { pthread_mutex_unlock (&logger); }

static void
write_lines (void)
{
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock (&file);
    lines++;
    pthread_mutex_unlock (&file);
  }
}

static void *
add_logger (void *arg)
{
  write_lines ();
  lock_manager ();
  loggers++;
  lock_logger ();
  level = 1;
  unlock_logger ();
  unlock_manager ();
  return arg;
}

static void *
set_level (void *arg)
{
  write_lines ();
  usleep (20000); /* until somebody wants it */
  lock_logger ();
  level = 2;
  lock_manager ();
  level += loggers;
  unlock_manager ();
  unlock_logger ();
  return arg;
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];
  rounds = argc > 1 ? atoi (argv[1]) : 1;
  pthread_create (&threads[0], NULL, add_logger, NULL);
  pthread_create (&threads[1], NULL, set_level, NULL);
  pthread_join (threads[0], NULL);
  pthread_join (threads[1], NULL);
  printf ("level %d, %ld lines\n", level, lines);
  return 0;
}
