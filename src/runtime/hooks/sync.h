/* Mutexes as conditions and C11 threads need them: the hooks of sync_lock.c
   with the caller's place as an argument. */
#ifndef OMEN_RUNTIME_HOOKS_SYNC_H
#define OMEN_RUNTIME_HOOKS_SYNC_H

#include "runtime/hooks/hook.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* When a blocking call gives up; `at` NULL: never. */
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

/* Nanoseconds from now; 0: it is past. */
uint64_t omen_until_left (omen_until until);

int omen_mutex_lock (pthread_mutex_t *mutex, omen_until until, uint64_t pc);
int omen_mutex_trylock (pthread_mutex_t *mutex, uint64_t pc);
int omen_mutex_unlock (pthread_mutex_t *mutex, uint64_t pc);
/* omen_lock_flags that the mutex itself tells. */
uint64_t omen_mutex_flags (const pthread_mutex_t *mutex);
/* Under a schedule: take it, give it up, and note nothing. */
int omen_mutex_retake (pthread_mutex_t *mutex, uint64_t pc);
int omen_mutex_drop (pthread_mutex_t *mutex);

/* Anything but a lock is destroyed, which may have to wait for who is still in
   it. */
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
