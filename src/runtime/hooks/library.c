/* Libraries that are not woven: the moments when control enters and leaves them
   (wire/abi.h). Their accesses are not seen, and they may synchronise by them;
   so the recording orders these moments, for each library, as something that
   may or may not be an order between threads. */
#include "runtime/core/core.h"
#include "runtime/hooks/hook.h"

static void
note_call (enum omen_item_kind kind, void *library, uint64_t pc)
{
  if (!omen_enabled ())
    return;
  if (omen_rt_scheduled)
    omen_sched_point (kind, library);
  omen_log_now (kind, library, OMEN_ORDER_LIBRARY, pc);
}

/* The library that was entered first. What it writes shows in the values of
   later loads; so from then on all loads are logged. */
static void *entered;

static void
stop_loops (void *library)
{
  if (OMEN_LIKELY (!__omen_loops))
    return;
  __atomic_store_n (&entered, library, __ATOMIC_RELAXED);
  __atomic_store_n (&__omen_loops, 0, __ATOMIC_SEQ_CST);
}

/* A loop that is recorded as a whole may have read what the library wrote
   meanwhile. */
void
omen_library_late (uint64_t pc)
{
  void *library = __atomic_load_n (&entered, __ATOMIC_RELAXED);
  if (library)
    note_call (OMEN_ITEM_HAPPENS_AFTER, library, pc);
}

/* -- OpenMP -------------------------------------------------------------------

   What its runtime does between the program's parts depends on the time and on
   the environment: how often it takes a lock, or polls before it sleeps. None
   of it is recorded but the threads that it makes and its blocks, which a
   replay does not count; a thread that is there is like one in the kernel. */

static bool
is_openmp (const void *library)
{
  return library && (uintptr_t)library == omen_openmp.start;
}

static void
go_away (void)
{
  omen_rt_disabled |= OMEN_DISABLED_AWAY;
  omen_sched_away ();
}

static void
come_back (void)
{
  omen_rt_disabled &= ~(uint32_t)OMEN_DISABLED_AWAY;
  omen_sched_return ();
}

bool
omen_away_pause (void)
{
  bool away = omen_rt_disabled & OMEN_DISABLED_AWAY;
  if (away)
    come_back ();
  return away;
}

void
omen_away_resume (bool away)
{
  if (away)
    go_away ();
}

void
omen_library_thread (const volatile void *start)
{
  __omen_inside = omen_library_of (start);
  if (is_openmp (__omen_inside) && !omen_rt_options.sync_only)
    omen_rt_disabled |= OMEN_DISABLED_AWAY;
}

/* A replay may hold the thread before it goes there; but not before it goes to
   OpenMP's, where others may wait for it. */
static void
leave_library (void *library, uint64_t pc)
{
  stop_loops (library);
  note_call (OMEN_ITEM_HAPPENS_BEFORE, library, pc);
  if (is_openmp (library))
    go_away ();
  else {
    omen_replay_after ();
    omen_sched_inside (true);
  }
  __omen_inside = library;
}

#pragma GCC visibility push(default)

void *
__omen_out (const volatile void *callee, void *slot, uint32_t direct)
{
  bool disabled = omen_rt_mode == OMEN_MODE_OFF || omen_rt_options.sync_only;
  int error = errno;
  void *library = NULL;
  if (!disabled) {
    if (!omen_enabled ())
      return NULL; /* recording is disabled in this thread */
    library = omen_library_of (callee);
  }
  if (library)
    leave_library (library, OMEN_PC);
  else
    __atomic_store_n ((uint64_t *)slot,
                      direct ? OMEN_SLOT_HOME : (uintptr_t)callee,
                      __ATOMIC_RELAXED);
  errno = error;
  return library;
}

void
__omen_in (void *library)
{
  int error = errno;
  __omen_inside = NULL;
  omen_away_pause ();
  omen_sched_inside (false);
  stop_loops (library);
  note_call (OMEN_ITEM_HAPPENS_AFTER, library, OMEN_PC);
  errno = error;
}

void
__omen_back (void *library)
{
  int error = errno;
  leave_library (library, OMEN_PC);
  errno = error;
}

#pragma GCC visibility pop
