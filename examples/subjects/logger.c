/* Loggers and their manager, each with a lock: who makes a logger has the
   manager's and takes the logger's, who changes a logger's level has its lock and
   asks the manager.

   logger [ROUNDS]: so many lines are written before. */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct manager {
  pthread_mutex_t lock;
  int loggers;
} manager;

typedef struct logger {
  pthread_mutex_t lock;
  int level;
} logger;

OBJECT (manager, all, { PTHREAD_MUTEX_INITIALIZER, 0 })
OBJECT (logger, one, { PTHREAD_MUTEX_INITIALIZER, 0 })

static void lock_manager (void) { pthread_mutex_lock (&THE (all)->lock); }
static void unlock_manager (void) { pthread_mutex_unlock (&THE (all)->lock); }
static void lock_logger (void) { pthread_mutex_lock (&THE (one)->lock); }
static void unlock_logger (void) { pthread_mutex_unlock (&THE (one)->lock); }

static void *
add_logger (void *arg)
{
  work ();
  lock_manager ();
  THE (all)->loggers++;
  lock_logger ();
  THE (one)->level = 1;
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
  THE (one)->level = 2;
  lock_manager ();
  THE (one)->level += THE (all)->loggers;
  unlock_manager ();
  unlock_logger ();
  return arg;
}

int
main (int argc, char **argv)
{
  run_both (argc, argv, add_logger, set_level);
  printf ("level %d, %ld lines\n", THE (one)->level, work_done);
  return 0;
}
