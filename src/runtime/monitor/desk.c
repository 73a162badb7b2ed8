/* Asking omen, outside of this process, for the file and line of an address
   (monitor/desk.h). Answers are kept: verdicts come from few places. */
#include "runtime/core/bytes.h"
#include "runtime/monitor/monitor.h"

#include <linux/futex.h>
#include <time.h>

enum { KEPT = 64, WAIT_MS = 20, PATIENCE = 250 };

typedef struct answer {
  uint64_t pc;
  char text[OMEN_DESK_TEXT];
} answer;

static answer *kept[KEPT]; /* by address; never changed once they are there */

static answer **
place_of (uint64_t pc)
{
  return &kept[(pc * UINT64_C (0x9e3779b97f4a7c15) >> 32) % KEPT];
}

static void
keep (uint64_t pc, const char *text)
{
  answer *a = omen_memory_get (&omen_monitor_memory, sizeof *a), *none = NULL;
  if (!a)
    return;
  a->pc = pc;
  omen_bytes_copy (a->text, text, OMEN_DESK_TEXT);
  if (!__atomic_compare_exchange_n (place_of (pc), &none, a, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    omen_memory_put (&omen_monitor_memory, a, sizeof *a);
}

static void
rest (uint32_t *word, uint32_t value)
{
  struct timespec time = { 0, WAIT_MS * 1000000L };
  omen_call (SYS_futex, (long)word, FUTEX_WAIT, value, (long)&time, 0, 0);
}

static bool
take (omen_desk *desk)
{
  for (int i = 0; i < PATIENCE; i++) {
    uint32_t free = 0;
    if (!__atomic_load_n (&desk->open, __ATOMIC_ACQUIRE))
      return false;
    if (__atomic_compare_exchange_n (&desk->taken, &free, 1, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    rest (&desk->taken, 1);
  }
  return false;
}

static bool
wait_for_answer (omen_desk *desk)
{
  for (int i = 0; i < PATIENCE; i++) {
    if (__atomic_load_n (&desk->state, __ATOMIC_ACQUIRE) == OMEN_DESK_ANSWERED)
      return true;
    if (!__atomic_load_n (&desk->open, __ATOMIC_ACQUIRE))
      return false;
    rest (&desk->state, OMEN_DESK_ASKED);
  }
  return false;
}

static bool
ask (omen_desk *desk, uint64_t pc, uint64_t base, const char *path,
     char text[OMEN_DESK_TEXT])
{
  size_t size = omen_bytes_length (path);
  bool answered;
  if (size >= OMEN_DESK_TEXT || !take (desk))
    return false;
  desk->pc = pc;
  desk->base = base;
  omen_bytes_copy (desk->path, path, size + 1);
  __atomic_store_n (&desk->state, OMEN_DESK_ASKED, __ATOMIC_RELEASE);
  omen_call (SYS_futex, (long)&desk->state, FUTEX_WAKE, 1, 0, 0, 0);
  answered = wait_for_answer (desk);
  if (answered)
    omen_bytes_copy (text, desk->answer, OMEN_DESK_TEXT);
  else
    __atomic_store_n (&desk->open, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&desk->state, OMEN_DESK_IDLE, __ATOMIC_RELAXED);
  __atomic_store_n (&desk->taken, 0, __ATOMIC_RELEASE);
  omen_call (SYS_futex, (long)&desk->taken, FUTEX_WAKE, 1, 0, 0, 0);
  return answered;
}

bool
omen_desk_ask (uint64_t pc, uint64_t base, const char *path,
               char text[OMEN_DESK_TEXT])
{
  const answer *known = __atomic_load_n (place_of (pc), __ATOMIC_ACQUIRE);
  if (known && known->pc == pc)
    omen_bytes_copy (text, known->text, OMEN_DESK_TEXT);
  else {
    if (!omen_monitor_tally
        || !ask (&omen_monitor_tally->desk, pc, base, path, text))
      return false;
    omen_monitor_enter ();
    keep (pc, text);
    omen_monitor_leave ();
  }
  return *text;
}
