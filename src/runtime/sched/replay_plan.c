#include "runtime/sched/replay_plan.h"
#include "runtime/core/bytes.h"
#include "runtime/core/core.h"
#include "runtime/core/process.h"
#include "runtime/sched/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

omen_forced_plan omen_replay_plan;

/* ---- reading ---- */

typedef struct text {
  const char *at, *end;
} text;

static bool
take_word (text *t, const char *word)
{
  size_t length = omen_bytes_length (word);
  if ((size_t)(t->end - t->at) < length
      || !omen_bytes_equal (t->at, word, length))
    return false;
  t->at += length;
  return true;
}

static bool
take_path (text *t, const char **path, size_t *length)
{
  *path = t->at;
  while (t->at < t->end && ((*t->at >= '0' && *t->at <= '9') || *t->at == '.'))
    t->at++;
  *length = (size_t)(t->at - *path);
  return *length;
}

static bool
take_number (text *t, uint64_t *number)
{
  const char *from = t->at;
  for (*number = 0; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
    *number = *number * 10 + (uint64_t)(*t->at - '0');
  return t->at > from;
}

static bool
take_hash (text *t, uint64_t *hash)
{
  const char *from = t->at;
  for (*hash = 0; t->at < t->end; t->at++) {
    unsigned digit = (unsigned)*t->at - '0', letter = (unsigned)*t->at - 'a';
    if (digit > 9 && letter > 5)
      break;
    *hash = *hash << 4 | (digit <= 9 ? digit : letter + 10);
  }
  return t->at > from;
}

/* "process *" or "process HASH", and a number; may be missing. */
static bool
take_process (text *t)
{
  if (!take_word (t, "process "))
    return true;
  if (take_word (t, "*"))
    omen_replay_plan.process = OMEN_PLAN_ANYONE;
  else if (!take_hash (t, &omen_replay_plan.process))
    return false;
  return take_word (t, " ") && take_number (t, &omen_replay_plan.number)
         && take_word (t, "\n");
}

/* "spin-limit MS"; may be missing. */
static bool
take_spin_limit (text *t)
{
  return !take_word (t, "spin-limit ")
         || (take_number (t, &omen_replay_plan.spin_limit)
             && take_word (t, "\n"));
}

/* "keep"; may be missing. */
static bool
take_keep (text *t)
{
  omen_replay_plan.keeps = take_word (t, "keep\n");
  return true;
}

static bool
take_turn (text *t)
{
  omen_turn *turn = &omen_replay_plan.turns[omen_replay_plan.count];
  bool ok;
  if (take_word (t, "run "))
    ok = take_path (t, &turn->path, &turn->length) && take_word (t, " ")
         && take_number (t, &turn->until);
  else if (take_word (t, "finish ")) {
    turn->until = OMEN_TURN_ENDED;
    ok = take_path (t, &turn->path, &turn->length);
  } else {
    turn->until = OMEN_TURN_BLOCKED;
    ok = take_word (t, "block ") && take_path (t, &turn->path, &turn->length);
  }
  omen_replay_plan.count++;
  return ok && take_word (t, "\n");
}

static bool
take_signal (text *t)
{
  omen_forced_plan *plan = &omen_replay_plan;
  omen_signal_turn *signal = &plan->signals[plan->signal_count++];
  return take_path (t, &signal->path, &signal->length) && take_word (t, " ")
         && take_number (t, &signal->item) && take_word (t, " ")
         && take_number (t, &signal->number) && take_word (t, "\n");
}

static bool
take_expiry (text *t)
{
  omen_forced_plan *plan = &omen_replay_plan;
  omen_expiry *expiry = &plan->expiries[plan->expiry_count++];
  return take_path (t, &expiry->path, &expiry->length) && take_word (t, " ")
         && take_number (t, &expiry->item) && take_word (t, "\n");
}

/* Is the program compiled with AddressSanitizer? It reports the use of freed
   memory itself and ends the program. */
extern void __asan_init (void) __attribute__ ((weak));

static bool
take_end (text *t)
{
  static const char *const words[]
      = { "free\n", "serial\n", "exit\n", "stop\n", "explore\n" };
  for (unsigned i = 0; i < OMEN_COUNT (words); i++)
    if (take_word (t, words[i])) {
      omen_replay_plan.end = (omen_plan_end)i;
      if (i == OMEN_END_EXIT && omen_replay_plan.keeps && __asan_init)
        omen_replay_plan.end = OMEN_END_FREE;
      return t->at == t->end;
    }
  return false;
}

bool
omen_plan_parse (const char *at, size_t size)
{
  text t = { at, at + size };
  size_t room = size / OMEN_PLAN_LEAST_LINE + 1;
  omen_forced_plan *plan = &omen_replay_plan;
  plan->turns = omen_pages (room * sizeof *plan->turns);
  plan->signals = omen_pages (room * sizeof *plan->signals);
  plan->expiries = omen_pages (room * sizeof *plan->expiries);
  if (!plan->turns || !plan->signals || !plan->expiries
      || !take_word (&t, "omen-plan 1\n") || !take_process (&t)
      || !take_spin_limit (&t) || !take_keep (&t))
    return false;
  while (take_word (&t, "signal "))
    if (plan->signal_count == room || !take_signal (&t))
      return false;
  while (take_word (&t, "expire "))
    if (plan->expiry_count == room || !take_expiry (&t))
      return false;
  while (!take_word (&t, "end "))
    if (plan->count == room || !take_turn (&t))
      return false;
  return take_end (&t);
}

bool
omen_plan_read (const char *path)
{
  struct stat info;
  long fd = omen_call (SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
  long at = -1;
  if (fd < 0)
    return false;
  if (!omen_call (SYS_fstat, fd, (long)&info, 0, 0, 0, 0) && info.st_size > 0)
    at = omen_call (SYS_mmap, 0, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
  if (at < 0 && at > -4096)
    return false;
  omen_replay_plan.path = path;
  return omen_plan_parse ((const char *)at, (size_t)info.st_size);
}

/* ---- whose plan ---- */

/* Takes the first ticket that is free; 0: none is. */
static uint64_t
take_ticket (void)
{
  enum { MOST_TICKETS = 100000 };
  char name[OMEN_PATH_MAX + 16];
  size_t length = omen_bytes_length (omen_replay_plan.path);
  omen_bytes_copy (name, omen_replay_plan.path, length);
  name[length++] = '.';
  for (uint64_t ticket = 1; ticket < MOST_TICKETS; ticket++) {
    size_t digits = 1;
    for (uint64_t rest = ticket; rest >= 10; rest /= 10)
      digits++;
    name[length + digits] = 0;
    for (uint64_t rest = ticket; digits; rest /= 10)
      name[length + --digits] = (char)('0' + rest % 10);
    long fd = omen_call (SYS_open, (long)name, O_CREAT | O_EXCL | O_CLOEXEC,
                         0600, 0, 0, 0);
    if (fd >= 0)
      omen_call (SYS_close, fd, 0, 0, 0, 0, 0);
    if (fd != -EEXIST)
      return fd >= 0 ? ticket : 0;
  }
  return 0;
}

bool
omen_replay_is_ours (void)
{
  const omen_process *mine = &omen_process_mine;
  if (omen_replay_plan.process == OMEN_PLAN_EVERYONE)
    return true;
  return (omen_replay_plan.process == OMEN_PLAN_ANYONE
          || omen_replay_plan.process == mine->exact
          || omen_replay_plan.process == mine->loose)
         && take_ticket () == omen_replay_plan.number;
}
