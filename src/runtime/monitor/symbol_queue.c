/* Asking omen, outside of this process, for the file and line of an address
   (monitor/symbol_queue.h). Answers are kept: verdicts come from few places. */
#include "runtime/core/bytes.h"
#include "runtime/monitor/monitor.h"

#include <linux/futex.h>
#include <time.h>

enum { KEPT = 64, WAIT_MS = 20, ATTEMPTS = 250 };

typedef struct answer {
  uint64_t pc;
  char text[OMEN_QUEUE_TEXT];
} answer;

static answer *kept[KEPT]; /* by address; never changed once they are there */

static answer **
kept_answer (uint64_t pc)
{
  return &kept[(pc * UINT64_C (0x9e3779b97f4a7c15) >> 32) % KEPT];
}

static void
keep_answer (uint64_t pc, const char *text)
{
  answer *a = omen_memory_get (&omen_monitor_memory, sizeof *a), *none = NULL;
  if (!a)
    return;
  a->pc = pc;
  omen_bytes_copy (a->text, text, OMEN_QUEUE_TEXT);
  if (!__atomic_compare_exchange_n (kept_answer (pc), &none, a, false,
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
take_queue (omen_symbol_queue *queue)
{
  for (int i = 0; i < ATTEMPTS; i++) {
    uint32_t free = 0;
    if (!__atomic_load_n (&queue->open, __ATOMIC_ACQUIRE))
      return false;
    if (__atomic_compare_exchange_n (&queue->taken, &free, 1, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    rest (&queue->taken, 1);
  }
  return false;
}

static bool
wait_for_answer (omen_symbol_queue *queue)
{
  for (int i = 0; i < ATTEMPTS; i++) {
    if (__atomic_load_n (&queue->state, __ATOMIC_ACQUIRE)
        == OMEN_QUEUE_ANSWERED)
      return true;
    if (!__atomic_load_n (&queue->open, __ATOMIC_ACQUIRE))
      return false;
    rest (&queue->state, OMEN_QUEUE_ASKED);
  }
  return false;
}

static bool
ask_place (omen_symbol_queue *queue, uint64_t pc, uint64_t base,
           const char *path, char text[OMEN_QUEUE_TEXT])
{
  size_t size = omen_bytes_length (path);
  bool answered;
  if (size >= OMEN_QUEUE_TEXT || !take_queue (queue))
    return false;
  queue->pc = pc;
  queue->base = base;
  omen_bytes_copy (queue->path, path, size + 1);
  __atomic_store_n (&queue->state, OMEN_QUEUE_ASKED, __ATOMIC_RELEASE);
  omen_call (SYS_futex, (long)&queue->state, FUTEX_WAKE, 1, 0, 0, 0);
  answered = wait_for_answer (queue);
  if (answered)
    omen_bytes_copy (text, queue->answer, OMEN_QUEUE_TEXT);
  else
    __atomic_store_n (&queue->open, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&queue->state, OMEN_QUEUE_IDLE, __ATOMIC_RELAXED);
  __atomic_store_n (&queue->taken, 0, __ATOMIC_RELEASE);
  omen_call (SYS_futex, (long)&queue->taken, FUTEX_WAKE, 1, 0, 0, 0);
  return answered;
}

bool
omen_symbol_queue_ask (uint64_t pc, uint64_t base, const char *path,
                       char text[OMEN_QUEUE_TEXT])
{
  const answer *known = __atomic_load_n (kept_answer (pc), __ATOMIC_ACQUIRE);
  if (known && known->pc == pc)
    omen_bytes_copy (text, known->text, OMEN_QUEUE_TEXT);
  else {
    if (!omen_monitor_tally
        || !ask_place (&omen_monitor_tally->queue, pc, base, path, text))
      return false;
    omen_monitor_enter ();
    keep_answer (pc, text);
    omen_monitor_leave ();
  }
  return *text;
}
