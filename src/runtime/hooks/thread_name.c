/* Names of threads: emit(omen_thread,name=teller), with `of` if it is that of
   another thread. For thread("teller") in property files. */
#include "runtime/core/bytes.h"
#include "runtime/core/thread.h"
#include "runtime/hooks/hook.h"
#include "runtime/monitor/monitor.h"

#include <stdarg.h>
#include <sys/prctl.h>

/* The text of the item (recording/events/frames.c). */
static void
log_name (pthread_t thread, const char *name, uint64_t pc)
{
  static const char event[] = "omen_thread,";
  char text[sizeof event + 16];
  size_t length = omen_bytes_length (name);
  uint32_t id = thread == pthread_self () ? omen_self_id (omen_rt_self)
                                          : omen_self_id_of (thread);
  uint64_t values[2] = { id, 0 };
  if (id == OMEN_NONE || length > 15)
    return;
  omen_bytes_copy (text, event, sizeof event - 1);
  omen_bytes_copy (text + sizeof event - 1, name, length + 1);
  omen_log_with (OMEN_ITEM_EMIT, (void *)(uintptr_t)omen_string_id (text), 0, 1,
                 pc, values, sizeof values);
}

static void
note_name (pthread_t thread, const char *name, uint64_t pc)
{
  omen_monitor_name_thread (thread, name);
  if (omen_enabled ())
    log_name (thread, name, pc);
}

#pragma GCC visibility push(default)

OMEN_HOOK (int, pthread_setname_np, (pthread_t thread, const char *name))
{
  int result = OMEN_REAL (pthread_setname_np) (thread, name);
  if (!result)
    note_name (thread, name, OMEN_PC);
  return result;
}

OMEN_NEXT (int, prctl, (int option, ...));

int
prctl (int option, ...)
{
  unsigned long word[4];
  va_list rest;
  int result;
  va_start (rest, option);
  for (unsigned i = 0; i < 4; i++)
    word[i] = va_arg (rest, unsigned long);
  va_end (rest);
  result = OMEN_REAL (prctl) (option, word[0], word[1], word[2], word[3]);
  if (!result && option == PR_SET_NAME && word[0]) {
    char name[16] = "";
    omen_bytes_copy (name, (const void *)word[0],
                     strnlen ((const char *)word[0], sizeof name - 1));
    note_name (pthread_self (), name, OMEN_PC);
  }
  return result;
}

#pragma GCC visibility pop
