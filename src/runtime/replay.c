#include "runtime/replay.h"
#include "runtime/bytes.h"
#include "runtime/core.h"
#include "trace/format.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

bool omen_rt_replay;

typedef enum ending {
  END_FREE,   /* all threads run */
  END_SERIAL, /* one after the other */
  END_EXIT,   /* the program ends here */
  END_STOP    /* for a debugger */
} ending;

typedef struct omen_turn {
  const char *path; /* in the text of the plan */
  size_t length;
  uint64_t until; /* items in all, or one of these */
} omen_turn;

#define BLOCKED UINT64_MAX     /* until it waits */
#define ENDED (UINT64_MAX - 1) /* until it has ended */
#define PATIENCE_NS UINT64_C (10000000000)

static struct {
  omen_turn *turns;
  size_t count, next;
  ending end;
  omen_task *task; /* of the next turn, once it is there */
  bool due;        /* that turn is over */
} plan;

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
take_path (text *t, omen_turn *turn)
{
  turn->path = t->at;
  while (t->at < t->end && ((*t->at >= '0' && *t->at <= '9') || *t->at == '.'))
    t->at++;
  turn->length = (size_t)(t->at - turn->path);
  return turn->length;
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
take_turn (text *t)
{
  omen_turn *turn = &plan.turns[plan.count];
  bool ok;
  if (take_word (t, "run "))
    ok = take_path (t, turn) && take_word (t, " ")
         && take_number (t, &turn->until);
  else if (take_word (t, "finish ")) {
    turn->until = ENDED;
    ok = take_path (t, turn);
  } else {
    turn->until = BLOCKED;
    ok = take_word (t, "block ") && take_path (t, turn);
  }
  plan.count++;
  return ok && take_word (t, "\n");
}

static bool
take_end (text *t)
{
  static const char *const words[] = { "free\n", "serial\n", "exit\n",
                                       "stop\n" };
  for (unsigned i = 0; i < OMEN_COUNT (words); i++)
    if (take_word (t, words[i])) {
      plan.end = (ending)i;
      return t->at == t->end;
    }
  return false;
}

static bool
read_plan (text t)
{
  enum { LEAST_LINE = 8 };
  size_t room = (size_t)(t.end - t.at) / LEAST_LINE + 1;
  plan.turns = omen_pages (room * sizeof *plan.turns);
  if (!plan.turns || !take_word (&t, "omen-plan 1\n"))
    return false;
  while (!take_word (&t, "end "))
    if (plan.count == room || !take_turn (&t))
      return false;
  return take_end (&t);
}

/* The text stays mapped: paths are in it. */
bool
omen_replay_start (const char *path)
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
  omen_rt_replay
      = read_plan ((text){ (const char *)at, (const char *)at + info.st_size });
  return omen_rt_replay;
}

/* ---- whose turn ---- */

static bool
is_named (const omen_task *task, const omen_turn *turn)
{
  const uint8_t *entry = omen_table_at (
      OMEN_TABLE_THREAD, (task->id - 1) * sizeof (omen_file_thread));
  omen_file_thread thread;
  size_t length;
  omen_bytes_copy (&thread, entry, sizeof thread);
  if (thread.path == OMEN_NONE)
    return false;
  const char *path = omen_string_text (thread.path, &length);
  return length == turn->length && omen_bytes_equal (path, turn->path, length);
}

static omen_task *
find_task (const omen_turn *turn)
{
  omen_task *task = omen_scheduler.first;
  while (task && !is_named (task, turn))
    task = task->next;
  return task;
}

static bool
is_over (const omen_turn *turn, const omen_task *task)
{
  if (!task)
    return turn->until == ENDED;
  return turn->until == BLOCKED
             ? task->state == OMEN_TASK_WAITING
             : __atomic_load_n (&task->items, __ATOMIC_RELAXED) >= turn->until;
}

bool
omen_replay_due (void)
{
  return plan.due || plan.next == plan.count;
}

/* ---- the end ---- */

/* A debugger that knows the name stops here, with all threads in place. */
__attribute__ ((noinline, visibility ("default"))) void
omen_replay_reached (void)
{
  __asm__ volatile ("");
}

static omen_task *
finish (void)
{
  omen_log_flush_all ();
  omen_rt_replay = false;
  switch (plan.end) {
  case END_EXIT:
    omen_file_finish ();
    omen_call (SYS_exit_group, 0, 0, 0, 0, 0, 0);
    break;
  case END_SERIAL:
    omen_sched_policy ("serial");
    return omen_sched_choose (NULL);
  case END_STOP:
    omen_replay_reached ();
    break;
  case END_FREE:
    break;
  }
  omen_sched_abandon ();
  return omen_scheduler.running;
}

/* Whom it waits for, if it joins a thread: what that still does before it ends
   is in nobody's way, and in no plan. */
static omen_task *
joined_by (const omen_task *task)
{
  const volatile void *object
      = task->depth ? task->waits[task->depth - 1].object : NULL;
  for (omen_task *t = omen_scheduler.first; object && t; t = t->next)
    if (t == object)
      return t;
  return NULL;
}

/* A wait may run out when its thread has its turn. */
static bool
make_ready (omen_task *task)
{
  omen_wait *wait = task->depth ? &task->waits[task->depth - 1] : NULL;
  if (task->state == OMEN_TASK_WAITING && wait && wait->deadline)
    omen_sched_run_out (task, wait);
  return task->state == OMEN_TASK_READY;
}

/* The thread whose turn it is, or one that it cannot do without. *away: one
   that has to come back first. */
static omen_task *
who_can_run (omen_task *task, bool *away)
{
  while (task && !make_ready (task)) {
    *away = task->state == OMEN_TASK_AWAY;
    task = *away ? NULL : joined_by (task);
  }
  return task;
}

omen_task *
omen_replay_choose (void)
{
  for (; plan.next < plan.count; plan.next++) {
    const omen_turn *turn = &plan.turns[plan.next];
    bool away = false;
    plan.due = false;
    plan.task = find_task (turn);
    if (is_over (turn, plan.task))
      continue;
    omen_task *task = who_can_run (plan.task, &away);
    if (task || away)
      return task;
    break; /* it cannot go on: not the run that the plan is for */
  }
  return finish ();
}

/* Nothing that the plan wants has happened for long. */
void
omen_replay_look (void)
{
  static const omen_task *task;
  static uint64_t items, since;
  uint64_t now = omen_sched_now ();
  if (task != plan.task || !task || items != task->items) {
    since = now;
    task = plan.task;
    items = task ? task->items : 0;
  } else if (now - since > PATIENCE_NS)
    finish ();
}

omen_task *
omen_replay_waiter (const volatile void *object)
{
  for (size_t i = plan.next; i < plan.count; i++) {
    omen_task *task = find_task (&plan.turns[i]);
    for (unsigned k = 0; task && k < task->depth; k++)
      if (task->waits[k].object == object)
        return task;
  }
  return NULL;
}

/* ---- items ---- */

void
omen_replay_item (unsigned kind)
{
  omen_task *me = omen_item_counts (kind) ? omen_sched_enter () : NULL;
  if (!me)
    return;
  __atomic_store_n (&me->items, me->items + 1, __ATOMIC_RELAXED);
  if (me != plan.task || !is_over (&plan.turns[plan.next], me))
    return;
  plan.due = true;
  if (!omen_rt_busy && !omen_item_comes_first (kind))
    omen_sched_point (OMEN_ITEM_PART, NULL);
}
