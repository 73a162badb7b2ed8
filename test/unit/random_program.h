/* Random programs run by a small interpreter, which takes the notes that the
   runtime would take.

     world *w = malloc (sizeof *w);
     world_start (w, seed);
     world_run (w);
     w->file                        the recording, see recording_file.h
     w->tasks[t].text               what thread t did, a line an event
     w->flushes                     when notes were written, and marks
     w->moment                      if it was asked for: all threads at one time
     world_judge (w, trace, &err, false)
     world_fini (w);

   The programs race without end, so many reads have no value; now and then the
   loader may also say that a try failed for no reason, and of a file that grows
   that a value came from outside. */
#ifndef OMEN_TEST_RANDOM_PROGRAM_H
#define OMEN_TEST_RANDOM_PROGRAM_H

#include "recording_file.h"
#include "splitmix.h"

#include "recording/rebuild.h"
#include "trace/text.h"
#include "trace/wellformed.h"

#include <stdio.h>

enum {
  THREADS = 4,
  OPERATIONS = 40,
  VARIABLES = 5,
  LOCKS = 3,
  ATOMICS = 2,
  TEXT = 65536
};

#define VARIABLE(i) (UINT64_C (0x10000) + 8 * (i))
#define LOCK(i) (UINT64_C (0x20000) + 64 * (i))
#define ATOMIC(i) (UINT64_C (0x30000) + 16 * (i))
#define CONDITION UINT64_C (0x40000)
#define SEMAPHORE UINT64_C (0x41000)

typedef enum operation {
  READ,
  WRITE,
  LOCK_IT,
  TRY_IT,
  UNLOCK,
  ATOMIC_READ,
  ATOMIC_WRITE,
  ATOMIC_ADD,
  UP,
  DOWN,
  NOTIFY,
  WAIT,
  COPY
} operation;

typedef struct program {
  uint8_t operation, object, value, size;
} program;

typedef struct worker {
  program program[OPERATIONS];
  unsigned length, at;
  bool begun, over;
  int waiting;      /* for the lock of a wait: 1 in the wait, 2 notified */
  unsigned held;    /* locks, by bits */
  unsigned pending; /* lock whose release is numbered, not done; + 1 */
  unsigned taken;   /* lock that it has, but not yet numbered; + 1 */
  char text[TEXT];  /* what it did */
  size_t used;
  struct world *world;
} worker;

/* The notes of a thread have been written, so many of them; or a mark. */
typedef struct flush {
  uint32_t thread; /* OMEN_NONE: a mark */
  size_t notes;
} flush;

/* What memory held, and how much each thread had noted and said. */
typedef struct moment {
  uint64_t wanted; /* steps, at least; 0: no moment */
  bool made;
  uint8_t memory[8 * VARIABLES];
  uint64_t atomics[ATOMICS];
  size_t notes[THREADS], used[THREADS];
} moment;

typedef struct world {
  uint64_t random;
  moment moment;
  recording file;
  OMEN_VEC (flush) flushes;
  OMEN_VEC (uint8_t) said; /* whose the lines are, in the order of time */
  unsigned next; /* whose notes are written, in a tick that has begun */
  omen_site *load[9], *store[9], *atomic_load, *atomic_store, *atomic_add;
  uint8_t memory[8 * VARIABLES];
  uint64_t atomics[ATOMICS];
  int holder[LOCKS];
  unsigned units;
  worker tasks[THREADS];
  unsigned threads;
  bool racy, times;
  uint64_t clock;
} world;

static unsigned
below (world *w, unsigned n)
{
  return (unsigned)(next_random (&w->random) % n);
}

/* ---- what a thread says ---- */

static void
say (worker *task, const char *format, ...)
{
  world *w = task->world;
  va_list args;
  va_start (args, format);
  task->used += (size_t)vsnprintf (task->text + task->used, TEXT - task->used,
                                   format, args);
  va_end (args);
  task->used
      += (size_t)snprintf (task->text + task->used, TEXT - task->used, "\n");
  OMEN_VEC_PUSH (w->said, (uint8_t)(task - w->tasks));
}

/* ---- programs ---- */

static void
make_program (world *w, worker *task)
{
  unsigned held = 0;
  task->length = 5 + below (w, OPERATIONS - 10);
  for (unsigned i = 0; i < task->length; i++) {
    program *p = &task->program[i];
    static const uint8_t sizes[] = { 1, 2, 4, 8 };
    unsigned pick = below (w, 20);
    p->size = sizes[below (w, 4)];
    p->value = (uint8_t)below (w, w->racy ? 3 : 200);
    p->object = (uint8_t)below (w, VARIABLES);
    p->operation = pick < 5 ? READ : pick < 10 ? WRITE : READ;
    if (pick >= 10 && pick < 13) {
      p->object = (uint8_t)below (w, LOCKS);
      p->operation = held & 1u << p->object ? UNLOCK
                     : below (w, 4)         ? LOCK_IT
                                            : TRY_IT;
      held ^= p->operation == LOCK_IT || p->operation == UNLOCK
                  ? 1u << p->object
                  : 0;
    } else if (pick >= 13 && pick < 16) {
      p->object = (uint8_t)below (w, ATOMICS);
      p->operation = (uint8_t)(ATOMIC_READ + below (w, 3));
    } else if (pick == 16)
      p->operation = below (w, 3) ? UP : DOWN;
    else if (pick == 17)
      p->operation = NOTIFY;
    else if (pick == 18)
      p->operation = WAIT;
    else if (pick == 19)
      p->operation = COPY;
  }
}

/* ---- running ---- */

static uint64_t
value_at (const world *w, unsigned variable, unsigned size)
{
  uint64_t value = 0;
  memcpy (&value, w->memory + 8 * variable, size);
  return value;
}

static void
item (world *w, unsigned t, unsigned kind, uint64_t object, uint64_t arg)
{
  recording_item (&w->file, t, kind, object,
                  recording_number (&w->file, object), arg, 0);
}

static void
do_read (world *w, unsigned t, const program *p)
{
  uint64_t value = value_at (w, p->object, p->size);
  recording_note (&w->file, t, VARIABLE (p->object), value, w->load[p->size]);
  say (&w->tasks[t], "r(x%u+0:%u=%llu)", p->object, p->size,
       (unsigned long long)value);
}

static void
do_write (world *w, unsigned t, const program *p)
{
  uint64_t value = p->value;
  memcpy (w->memory + 8 * p->object, &value, p->size);
  recording_note (&w->file, t, VARIABLE (p->object), value, w->store[p->size]);
  say (&w->tasks[t], "w(x%u+0:%u=%llu)", p->object, p->size,
       (unsigned long long)value);
}

static void
do_atomic (world *w, unsigned t, const program *p)
{
  uint64_t address = ATOMIC (p->object), *memory = &w->atomics[p->object];
  uint64_t *number = &w->file.atomics[omen_shard (address)];
  uint64_t old = *memory;
  omen_site *site = p->operation == ATOMIC_READ    ? w->atomic_load
                    : p->operation == ATOMIC_WRITE ? w->atomic_store
                                                   : w->atomic_add;
  if (p->operation == ATOMIC_READ)
    say (&w->tasks[t], "ar(a%u+0:8=%llu)", p->object, (unsigned long long)old);
  else if (p->operation == ATOMIC_WRITE) {
    *memory = p->value;
    say (&w->tasks[t], "aw(a%u+0:8=%u)", p->object, p->value);
  } else {
    *memory = old + p->value % 3;
    say (&w->tasks[t], "rmw(a%u+0:8=%llu:%llu)", p->object,
         (unsigned long long)old, (unsigned long long)*memory);
  }
  if (p->operation != ATOMIC_READ)
    *number += 2;
  recording_item (&w->file, t, OMEN_ITEM_ATOMIC, address, *number, site->id, 0);
  recording_part (&w->file, t, p->operation == ATOMIC_WRITE ? 0 : old,
                  p->operation == ATOMIC_READ ? 0 : *memory);
}

/* Reads one variable, writes another, through the runtime. */
static void
do_copy (world *w, unsigned t, const program *p)
{
  unsigned from = p->object, to = p->value % VARIABLES;
  uint64_t value = value_at (w, from, 8);
  recording_item (&w->file, t, OMEN_ITEM_RANGE_READ, VARIABLE (from), 0, 8, 0);
  recording_part (&w->file, t, value, 0);
  say (&w->tasks[t], "r(x%u+0:8=%llu)", from, (unsigned long long)value);
  memcpy (w->memory + 8 * to, &value, 8);
  recording_item (&w->file, t, OMEN_ITEM_RANGE_WRITE, VARIABLE (to), 0, 8, 0);
  recording_part (&w->file, t, value, 0);
  say (&w->tasks[t], "w(x%u+0:8=%llu)", to, (unsigned long long)value);
}

static void
do_try (world *w, unsigned t, unsigned lock)
{
  if (w->holder[lock] < 0)
    return;
  item (w, t, OMEN_ITEM_TRY_FAIL, LOCK (lock), 0);
  say (&w->tasks[t], "tryfail(l%u)", lock);
}

/* The number is taken first; others may come before the lock is free. */
static void
do_unlock (world *w, unsigned t, unsigned lock)
{
  item (w, t, OMEN_ITEM_RELEASE, LOCK (lock), 0);
  say (&w->tasks[t], "rel(l%u)", lock);
  w->tasks[t].pending = lock + 1;
  w->tasks[t].held &= ~(1u << lock);
}

static void
do_wait (world *w, unsigned t, unsigned lock)
{
  recording_item (&w->file, t, OMEN_ITEM_WAIT, CONDITION,
                  recording_number (&w->file, CONDITION), 0, 0);
  recording_part (&w->file, t, LOCK (lock),
                  recording_number (&w->file, LOCK (lock)));
  say (&w->tasks[t], "wait(c,l%u)", lock);
  w->holder[lock] = -1;
  w->tasks[t].waiting = 1 + (int)lock;
}

/* Now and then it wakes by itself, or because its time is up. */
static bool
do_wake (world *w, unsigned t)
{
  worker *task = &w->tasks[t];
  unsigned lock = (unsigned)(task->waiting > 100 ? task->waiting - 101
                                                 : task->waiting - 1);
  bool notified = task->waiting > 100;
  if (w->holder[lock] >= 0 || (!notified && below (w, 8)))
    return false;
  w->holder[lock] = (int)t;
  recording_item (&w->file, t, OMEN_ITEM_WAKE, CONDITION,
                  recording_number (&w->file, CONDITION),
                  notified ? 0 : OMEN_LOCK_TIMEOUT, 0);
  recording_part (&w->file, t, LOCK (lock),
                  recording_number (&w->file, LOCK (lock)));
  say (task, notified ? "wake(c,l%u)" : "wake(c,l%u,timeout)", lock);
  task->waiting = 0;
  return true;
}

static void
do_notify (world *w, unsigned t)
{
  bool all = below (w, 2);
  item (w, t, all ? OMEN_ITEM_NOTIFY_ALL : OMEN_ITEM_NOTIFY, CONDITION, 0);
  say (&w->tasks[t], all ? "notifyall(c)" : "notify(c)");
  for (unsigned other = 0; other < w->threads; other++)
    if (w->tasks[other].waiting && w->tasks[other].waiting < 100) {
      w->tasks[other].waiting += 100;
      if (!all)
        return;
    }
}

/* The release that was numbered before is carried out now. */
static bool
finish_release (world *w, unsigned t)
{
  worker *task = &w->tasks[t];
  if (!task->pending)
    return false;
  if (!below (w, 3))
    return true;
  w->holder[task->pending - 1] = -1;
  task->pending = 0;
  return true;
}

/* The number comes after the lock. */
static bool
lock_it (world *w, unsigned t, unsigned lock)
{
  if (w->tasks[t].taken != lock + 1) {
    if (w->holder[lock] >= 0)
      return false;
    w->holder[lock] = (int)t;
    w->tasks[t].taken = lock + 1;
    if (!below (w, 3))
      return false;
  }
  w->tasks[t].taken = 0;
  w->tasks[t].held |= 1u << lock;
  item (w, t, OMEN_ITEM_ACQUIRE, LOCK (lock), 0);
  say (&w->tasks[t], "acq(l%u)", lock);
  return true;
}

/* False: it is blocked, or nothing was done. */
static bool
do_operation (world *w, unsigned t)
{
  worker *task = &w->tasks[t];
  const program *p = &task->program[task->at];
  switch (p->operation) {
  case READ:
    do_read (w, t, p);
    return true;
  case WRITE:
    do_write (w, t, p);
    return true;
  case LOCK_IT:
    return lock_it (w, t, p->object);
  case TRY_IT:
    do_try (w, t, p->object);
    return true;
  case UNLOCK:
    if (task->held & 1u << p->object)
      do_unlock (w, t, p->object);
    return true;
  case UP:
    item (w, t, OMEN_ITEM_SEM_UP, SEMAPHORE, 0);
    say (task, "up(s)");
    w->units++;
    return true;
  case DOWN:
    if (!w->units)
      return true;
    w->units--;
    item (w, t, OMEN_ITEM_SEM_DOWN, SEMAPHORE, 0);
    say (task, "down(s)");
    return true;
  case NOTIFY:
    do_notify (w, t);
    return true;
  case WAIT:
    if (task->held)
      do_wait (w, t, (unsigned)__builtin_ctz (task->held));
    return true;
  case COPY:
    do_copy (w, t, p);
    return true;
  default:
    do_atomic (w, t, p);
    return true;
  }
}

/* Locks that are left go, and then the thread. */
static void
end_task (world *w, unsigned t)
{
  worker *task = &w->tasks[t];
  if (task->held) {
    do_unlock (w, t, (unsigned)__builtin_ctz (task->held));
    return;
  }
  recording_item (&w->file, t, OMEN_ITEM_THREAD_END, t, 0, 0, 0);
  task->over = true;
}

static void
do_step (world *w, unsigned t)
{
  worker *task = &w->tasks[t];
  w->clock++;
  if (w->times && !below (w, 10))
    recording_item (&w->file, t, OMEN_ITEM_TIME, w->clock, 0, 0, 0);
  if (finish_release (w, t))
    return;
  if (task->waiting) {
    do_wake (w, t);
    return;
  }
  if (task->at == task->length)
    end_task (w, t);
  else if (do_operation (w, t))
    task->at++;
}

/* Some loads are free, stores depend on any: what the trace says of that must
   be well formed. */
static void
add_depends (world *w)
{
  uint32_t number = 1, on[] = { 1 + below (w, 5), 1 + below (w, 5) };
  for (unsigned size = 1; size <= 8; size *= 2) {
    recording_depend (&w->file, w->load[size], number++,
                      below (w, 2) ? OMEN_DEPEND_FREE : 0, 0, NULL);
    recording_depend (&w->file, w->store[size], number + 10, 0, below (w, 3),
                      on);
  }
  recording_depend (&w->file, w->atomic_add, number, OMEN_DEPEND_FREE, 1, on);
}

static void
world_start (world *w, uint64_t seed)
{
  static const char *const names[]
      = { "x0", "x1", "x2", "x3", "x4", "l0", "l1", "l2", "a0", "a1" };
  memset (w, 0, sizeof *w);
  w->random = seed;
  recording_init (&w->file);
  w->file.chunk = 1 + below (w, 50);
  w->file.old_ranges = seed % 3 == 0;
  w->threads = 2 + below (w, THREADS - 1);
  w->racy = below (w, 2);
  w->times = below (w, 2);
  for (unsigned size = 1; size <= 8; size *= 2) {
    w->load[size] = recording_site (&w->file, OMEN_SITE_LOAD, size, "f.c", 1);
    w->store[size] = recording_site (&w->file, OMEN_SITE_STORE, size, "f.c", 2);
  }
  w->atomic_load
      = recording_site (&w->file, OMEN_SITE_ATOMIC_LOAD, 8, "f.c", 3);
  w->atomic_store
      = recording_site (&w->file, OMEN_SITE_ATOMIC_STORE, 8, "f.c", 3);
  w->atomic_add = recording_site (&w->file, OMEN_SITE_ATOMIC_RMW, 8, "f.c", 3);
  if (seed % 3 == 0)
    add_depends (w);
  for (unsigned i = 0; i < VARIABLES; i++)
    recording_object (&w->file, VARIABLE (i), 8, names[i]);
  for (unsigned i = 0; i < LOCKS; i++)
    recording_object (&w->file, LOCK (i), 40, names[5 + i]);
  for (unsigned i = 0; i < ATOMICS; i++)
    recording_object (&w->file, ATOMIC (i), 8, names[8 + i]);
  recording_object (&w->file, CONDITION, 48, "c");
  recording_object (&w->file, SEMAPHORE, 32, "s");
  recording_zeros (&w->file, 0x10000, 0x1000);
  recording_zeros (&w->file, 0x30000, 0x1000);
  for (unsigned i = 0; i < LOCKS; i++)
    w->holder[i] = -1;
}

/* Now and then notes are written: those of one thread whose buffer is full, or
   of all, one after the other while they run, and then a mark. */
static void
write_some (world *w)
{
  unsigned t = w->next;
  if (!below (w, 40)) {
    t = below (w, w->threads);
    OMEN_VEC_PUSH (w->flushes, ((flush){ t, w->file.notes[t].count }));
  }
  if (!w->next && below (w, 25))
    return;
  t = w->next++;
  if (t < w->threads) {
    OMEN_VEC_PUSH (w->flushes, ((flush){ t, w->file.notes[t].count }));
    return;
  }
  OMEN_VEC_PUSH (w->flushes, ((flush){ OMEN_NONE, 0 }));
  w->next = 0;
}

/* A thread stands where it has noted all that it did. */
static void
make_moment (world *w)
{
  moment *m = &w->moment;
  if (!m->wanted || m->made || w->clock < m->wanted)
    return;
  for (unsigned t = 0; t < w->threads; t++)
    if (w->tasks[t].pending || w->tasks[t].taken)
      return;
  m->made = true;
  memcpy (m->memory, w->memory, sizeof m->memory);
  memcpy (m->atomics, w->atomics, sizeof m->atomics);
  for (unsigned t = 0; t < w->threads; t++) {
    m->notes[t] = w->file.notes[t].count;
    m->used[t] = w->tasks[t].used;
  }
  recording_safepoint (&w->file);
}

/* Thread 0 makes the others. */
static inline void
world_run (world *w)
{
  unsigned left = w->threads, idle = 0;
  for (unsigned t = 0; t < w->threads; t++) {
    w->tasks[t].world = w;
    make_program (w, &w->tasks[t]);
  }
  for (unsigned t = 0; t < w->threads; t++) {
    recording_item (&w->file, t, OMEN_ITEM_THREAD_BEGIN, t, 0, 0, 0);
    if (t) {
      recording_item (&w->file, 0, OMEN_ITEM_FORK, t, 0, 0, 0);
      say (&w->tasks[0], "fork(T%u)", t);
    }
  }
  OMEN_VEC_PUSH (w->flushes, ((flush){ 0, w->file.notes[0].count }));
  while (left && idle < 2000) {
    unsigned t = below (w, w->threads), burst = 1 + below (w, 6);
    size_t before = w->tasks[t].used;
    if (w->tasks[t].over)
      continue;
    while (burst-- && !w->tasks[t].over) {
      do_step (w, t);
      make_moment (w);
      write_some (w);
    }
    left -= w->tasks[t].over;
    idle = w->tasks[t].used == before ? idle + 1 : 0;
  }
  for (unsigned t = 0; t < w->threads; t++)
    OMEN_VEC_PUSH (w->flushes, ((flush){ t, w->file.notes[t].count }));
}

/* For the fuzzer to begin with. */
static inline void
world_save (world *w, const char *path)
{
  file_bytes bytes = recording_file (&w->file);
  FILE *file = fopen (path, "wb");
  if (file) {
    fwrite (bytes.data, 1, bytes.count, file);
    fclose (file);
  }
  OMEN_VEC_FINI (bytes);
}

static void
world_fini (world *w)
{
  recording_fini (&w->file);
  OMEN_VEC_FINI (w->flushes);
  OMEN_VEC_FINI (w->said);
}

/* What the threads did, in the order of time, as a trace. */
static inline void
world_tell (world *w, FILE *out)
{
  const char *at[THREADS];
  for (unsigned t = 0; t < w->threads; t++)
    at[t] = w->tasks[t].text;
  for (size_t i = 0; i < w->said.count; i++) {
    unsigned t = w->said.data[i];
    size_t length = strcspn (at[t], "\n");
    fprintf (out, "T%u|%.*s|\n", t, (int)length, at[t]);
    at[t] += length + 1;
  }
}

/* ---- judging ---- */

/* What differs in a way that is allowed where no order was found. */
static bool
is_excuse (const char *line, const char *expected, size_t length)
{
  size_t place = strlen (line) - 1; /* r(x) where r(x=1) was */
  if (*line == 'r' && place < length && !memcmp (line, expected, place)
      && expected[place] == '=')
    return true;
  return !strncmp (line, "lockfail(", 9) && length > 8
         && !strncmp (expected, "tryfail(", 8)
         && !strncmp (line + 9, expected + 8, length - 8);
}

static inline bool
thread_same (const omen_trace *trace, unsigned t, const char *expected,
             bool partly, unsigned *excuses)
{
  char name[16], line[256];
  omen_tid thread;
  snprintf (name, sizeof name, "T%u", t);
  thread = omen_names_find (&trace->names[OMEN_OPERAND_THREAD], name,
                            strlen (name));
  for (uint32_t i = 0;
       thread != OMEN_NONE && i < trace->threads.data[thread].count; i++) {
    size_t length = strcspn (expected, "\n");
    omen_text_operation (trace, omen_trace_nth (trace, thread, i), line,
                         sizeof line);
    if (!strncmp (line, "ext(", 4) || strstr (line, "(outside)")
        || strstr (line, "(unexplained)"))
      continue;
    if (!*expected && !strcmp (line, "ended()")
        && i + 1 == trace->threads.data[thread].count)
      continue; /* nobody joins it */
    if (is_excuse (line, expected, length))
      ++*excuses;
    else if (strlen (line) != length || memcmp (line, expected, length)) {
      printf ("# %s:%u is %s, not %.*s\n", name, i, line, (int)length,
              expected);
      return false;
    }
    expected += length + (expected[length] == '\n');
  }
  if (*expected && !partly && !trace->rebuilt.ended)
    printf ("# %s lacks %.60s\n", name, expected);
  return !*expected || partly || trace->rebuilt.ended;
}

static uint64_t late, excused;

/* `partly`: what there is must be right, but more may be missing. */
static inline bool
world_judge (world *w, const omen_trace *trace, const omen_err *load_err,
             bool partly)
{
  omen_err err = { 0 };
  unsigned excuses = 0;
  if (!trace) {
    printf ("# %s: %s\n", load_err->where, load_err->what);
    return false;
  }
  if (!omen_wellformed (trace, NULL, &err)) {
    printf ("# %s\n", err.what);
    return false;
  }
  for (unsigned t = 0; t < w->threads; t++)
    if (!thread_same (trace, t, w->tasks[t].text, partly, &excuses))
      return false;
  if (!partly) {
    late += trace->rebuilt.late;
    excused += excuses || trace->rebuilt.outside || trace->rebuilt.ended
               || trace->rebuilt.unexplained;
  }
  return true;
}

#endif
