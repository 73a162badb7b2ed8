/* The hooks of sync_lock.c with the caller's pc as an argument, for conditions
   and C11 threads. */
#ifndef OMEN_RUNTIME_HOOKS_SYNC_H
#define OMEN_RUNTIME_HOOKS_SYNC_H

#include "runtime/core/serve.h"
#include "runtime/hooks/hook.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The deadline of a blocking call; `at` NULL: none. */
typedef struct omen_until {
  const struct timespec *at;
  clockid_t clock;
} omen_until;

static inline bool
omen_until_valid (omen_until until)
{
  return !until.at
         || (until.at->tv_nsec >= 0 && until.at->tv_nsec < 1000000000);
}

/* Nanoseconds from now; 0: expired. */
uint64_t omen_until_left (omen_until until);

/* For real calls: the program's clock may be ahead of the machine's. */
static inline omen_until
omen_until_real (omen_until until, struct timespec *room)
{
  if (!until.at || !omen_until_valid (until))
    return until;
  *room = *until.at;
  omen_sched_deadline (room);
  return (omen_until){ room, until.clock };
}

int omen_mutex_lock (pthread_mutex_t *mutex, omen_until until, uint64_t pc);
int omen_mutex_trylock (pthread_mutex_t *mutex, uint64_t pc);
int omen_mutex_unlock (pthread_mutex_t *mutex, uint64_t pc);
/* omen_lock_flags that follow from the mutex itself. */
uint64_t omen_mutex_flags (const pthread_mutex_t *mutex);
/* Under a schedule: lock and unlock without logging. */
int omen_mutex_retake (pthread_mutex_t *mutex, uint64_t pc);
int omen_mutex_drop (pthread_mutex_t *mutex);

/* Destroys an object other than a lock, which may have to wait for threads that
   are still in it. */
OMEN_INLINE int
omen_object_destroy (void *object, int (*destroy) (void *), uint64_t pc)
{
  if (!omen_enabled ())
    return destroy (object);
  if (OMEN_UNLIKELY (omen_rt_scheduled))
    omen_sched_point (OMEN_ITEM_LOCK_DESTROY, object);
  omen_log_now (OMEN_ITEM_LOCK_DESTROY, object, 0, pc);
  omen_sched_leave ();
  int result = destroy (object);
  omen_sched_return ();
  return result;
}

/* C11's conditions are POSIX's. */
void omen_cond_made (pthread_cond_t *condition, uint64_t pc);
int omen_cond_destroy (pthread_cond_t *condition, uint64_t pc);
int omen_cond_wait (pthread_cond_t *condition, pthread_mutex_t *mutex,
                    omen_until until, uint64_t pc);
int omen_cond_notify (pthread_cond_t *condition, bool all, uint64_t pc);

#endif
