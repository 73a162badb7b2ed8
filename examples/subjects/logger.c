/* Loggers and their manager, each with a lock: who makes a logger has the
   manager's and takes the logger's, who changes a logger's level has its lock and
   asks the manager.

   logger [ROUNDS]: so many lines are written before. */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t manager = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t logger = PTHREAD_MUTEX_INITIALIZER;
static int loggers, level;

static void lock_manager (void) { pthread_mutex_lock (&manager); }
static void unlock_manager (void) { pthread_mutex_unlock (&manager); }
static void lock_logger (void) { pthread_mutex_lock (&logger); }
static void unlock_logger (void) { pthread_mutex_unlock (&logger); }

static void *
add_logger (void *arg)
{
  work ();
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
  work ();
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
  run_both (argc, argv, add_logger, set_level);
  printf ("level %d, %ld lines\n", level, work_done);
  return 0;
}
