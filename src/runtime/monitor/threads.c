/* Which thread is "teller": one that was given that name, or one that begins in
   the function of that name, whose entry the weaver reports. */
#include "monitor/cut.h"
#include "runtime/core/bytes.h"
#include "runtime/monitor/monitor.h"

#include <dlfcn.h>
#include <sys/prctl.h>

enum { NAME_ROOM = 16, STARTS_MAX = 4, GIVEN_MAX = 256 };

static OMEN_TLS char own_name[NAME_ROOM]; /* given by the thread itself */
static OMEN_TLS const char *starts[STARTS_MAX];

/* The latest names given by other threads. The handle of an ended thread may be
   reused, so a name counts only if the kernel has the same one. */
typedef struct given {
  pthread_t thread;
  char name[NAME_ROOM];
} given;

static given others[GIVEN_MAX];
static uint32_t next_other;
static omen_latch latch;

static void
copy_name (char to[NAME_ROOM], const char *name)
{
  size_t length = omen_bytes_length (name);
  length = length < NAME_ROOM ? length : NAME_ROOM - 1;
  omen_bytes_copy (to, name, length);
  to[length] = 0;
}

void
omen_monitor_name_thread (pthread_t thread, const char *name)
{
  if (thread == pthread_self ()) {
    copy_name (own_name, name);
    return;
  }
  omen_monitor_enter ();
  omen_latch_take (&latch);
  others[next_other % GIVEN_MAX].thread = thread;
  copy_name (others[next_other++ % GIVEN_MAX].name, name);
  omen_latch_give (&latch);
  omen_monitor_leave ();
}

/* What another thread has called this one, if its name is still that. */
static bool
find_given (char name[NAME_ROOM])
{
  pthread_t me = pthread_self ();
  char now[NAME_ROOM] = "";
  bool found = false;
  omen_call (SYS_prctl, PR_GET_NAME, (long)now, 0, 0, 0, 0);
  omen_monitor_enter ();
  omen_latch_take (&latch);
  for (uint32_t i = next_other, n = 0; i-- && n < GIVEN_MAX && !found; n++) {
    const given *at = &others[i % GIVEN_MAX];
    size_t length = omen_bytes_length (now);
    found = at->thread == me && omen_bytes_length (at->name) == length
            && omen_bytes_equal (at->name, now, length);
  }
  omen_latch_give (&latch);
  omen_monitor_leave ();
  copy_name (name, now);
  return found;
}

/* "T3", as the recording will say. */
static bool
is_number (const char *wanted)
{
  uint64_t number = 0;
  if (omen_rt_mode != OMEN_MODE_RECORD || *wanted++ != 'T' || !*wanted)
    return false;
  for (; *wanted >= '0' && *wanted <= '9' && number < OMEN_NONE; wanted++)
    number = 10 * number + (uint64_t)(*wanted - '0');
  return !*wanted && number == omen_self_id (omen_rt_self);
}

bool
omen_monitor_is_thread (const char *wanted)
{
  char name[NAME_ROOM];
  if (is_number (wanted))
    return true;
  for (uint32_t i = 0; i < STARTS_MAX && starts[i]; i++)
    if (omen_bytes_length (starts[i]) == omen_bytes_length (wanted)
        && omen_bytes_equal (starts[i], wanted, omen_bytes_length (wanted)))
      return true;
  if (own_name[0])
    return omen_pattern_fits (wanted, own_name);
  return __atomic_load_n (&next_other, __ATOMIC_RELAXED) && find_given (name)
         && omen_pattern_fits (wanted, name);
}

/* A thread begins in a function that is called by libc or by us, not by the
   program. */
void
omen_monitor_starts (const omen_join_point *point, uint64_t caller)
{
  Dl_info from, here;
  uint32_t i = 0;
  if (!dladdr ((void *)(uintptr_t)caller, &from) || !dladdr (point, &here)
      || from.dli_fbase == here.dli_fbase)
    return;
  while (i < STARTS_MAX && starts[i])
    i++;
  if (i < STARTS_MAX)
    starts[i] = omen_join_point_text (point);
}
