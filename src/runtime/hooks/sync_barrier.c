/* Barriers: an arriving thread logs it before the others can leave, a departing
   one after it could leave. The number of threads is read from the barrier,
   where glibc keeps it; under a schedule the words around it are used for
   counting, since the real barrier is not called then, unless other processes
   may use it. */
#include "runtime/hooks/channel.h"
#include "runtime/hooks/hook.h"
#include "runtime/core/stuck.h"
#include "runtime/hooks/sync.h"

#include <pthread.h>

typedef struct inside {
  unsigned in, round, count, shared;
} inside;

_Static_assert (sizeof (inside) <= sizeof (pthread_barrier_t),
                "a barrier has room for its count");

OMEN_NEXT (int, pthread_barrier_init,
           (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned));
OMEN_NEXT (int, pthread_barrier_destroy, (pthread_barrier_t *));
OMEN_NEXT (int, pthread_barrier_wait, (pthread_barrier_t *));

OMEN_EXPORT int
pthread_barrier_init (pthread_barrier_t *restrict barrier,
                      const pthread_barrierattr_t *restrict how, unsigned count)
{
  int result = OMEN_REAL (pthread_barrier_init) (barrier, how, count);
  if (!result && omen_enabled ())
    omen_log_now (OMEN_ITEM_LOCK_INIT, barrier, 0, OMEN_PC);
  return result;
}

static int
barrier_destroy (void *barrier)
{
  return OMEN_REAL (pthread_barrier_destroy) (barrier);
}

OMEN_EXPORT int
pthread_barrier_destroy (pthread_barrier_t *barrier)
{
  return omen_object_destroy (barrier, barrier_destroy, OMEN_PC);
}

static int
wait_in_kernel (pthread_barrier_t *barrier)
{
  omen_sched_leave ();
  int result = OMEN_REAL (pthread_barrier_wait) (barrier);
  omen_sched_return ();
  return result;
}

/* The last thread releases the others. */
static int
wait_in_turn (pthread_barrier_t *barrier)
{
  inside *b = (inside *)barrier;
  unsigned round = b->round;
  if (b->shared) /* the scheduler does not see their arrivals */
    return wait_in_kernel (barrier);
  if (++b->in == b->count) {
    b->in = 0;
    b->round++;
    omen_sched_wake (barrier, true);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (b->round == round)
    omen_sched_wait (barrier);
  return 0;
}

OMEN_EXPORT int
pthread_barrier_wait (pthread_barrier_t *barrier)
{
  if (!omen_enabled ())
    return OMEN_REAL (pthread_barrier_wait) (barrier);
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_ARRIVE, barrier);
  unsigned count
      = __atomic_load_n (&((inside *)barrier)->count, __ATOMIC_RELAXED);
  bool shared = ((inside *)barrier)->shared;
  if (shared) {
    omen_stuck_helped ();
    omen_outside_before (OMEN_PC);
  }
  omen_log_now (OMEN_ITEM_ARRIVE, barrier, count, OMEN_PC);
  if (!shared)
    omen_stuck_begin (OMEN_STUCK_BARRIER, barrier, OMEN_PC);
  int result = omen_rt_scheduled ? wait_in_turn (barrier)
                                 : OMEN_REAL (pthread_barrier_wait) (barrier);
  omen_stuck_end ();
  omen_replay_after ();
  omen_log_now (OMEN_ITEM_DEPART, barrier, 0, OMEN_PC);
  if (shared)
    omen_outside_after (OMEN_PC);
  return result;
}
