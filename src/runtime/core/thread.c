/* Threads and their state, from the first record to the last. */
#include "runtime/core/thread.h"
#include "runtime/core/bytes.h"
#include "runtime/hooks/channel.h"
#include "runtime/core/scratch.h"
#include "runtime/hooks/robust.h"
#include "runtime/core/timer.h"
#include "runtime/hooks/tsan.h"
#include "wire/format.h"

#include <limits.h>

OMEN_TLS omen_self *omen_rt_self;
OMEN_TLS uint32_t omen_rt_disabled = OMEN_DISABLED_NEW;
OMEN_TLS uint64_t **omen_rt_cursor;

omen_latch omen_threads_latch;
omen_self *omen_threads;

/* The last actions of a thread that can be seen are destructors of keys. Ours
   asks to be called again until the last round, so that records from other
   destructors are not lost (except for those that come after it in the last
   round). */
static pthread_key_t key;
static bool have_key;

static uint32_t living; /* threads that were made and have not ended */

static omen_self *spares;
enum { SLAB_BYTES = 65536 };

/* Latch held. */
static omen_self *
take_self (void)
{
  omen_self *self = spares;
  if (!self) {
    omen_self *slab = omen_pages (SLAB_BYTES);
    if (!slab)
      return NULL;
    for (size_t i = 0; i < SLAB_BYTES / sizeof *slab; i++) {
      slab[i].next = spares;
      spares = &slab[i];
    }
    self = spares;
  }
  spares = self->next;
  omen_bytes_zero (self, sizeof *self);
  return self;
}

static void
give_self (omen_self *self)
{
  self->next = spares;
  spares = self;
}

static void
unlink_self (omen_self *self)
{
  if (self->before)
    self->before->next = self->next;
  else
    omen_threads = self->next;
  if (self->next)
    self->next->before = self->before;
}

/* "0.2.1" is the first child of the second child of the first thread. A thread
   whose creation was not seen has no path. */
static uint32_t
make_path (const omen_self *parent, uint32_t child)
{
  char text[1024], digits[12];
  size_t length, count = 0;
  if (!parent || parent->path == OMEN_NONE)
    return OMEN_NONE;
  const char *before = omen_string_text (parent->path, &length);
  if (length > sizeof text - sizeof digits - 1)
    return OMEN_NONE;
  omen_bytes_copy (text, before, length);
  text[length++] = '.';
  do
    digits[count++] = (char)('0' + child % 10);
  while ((child /= 10));
  while (count)
    text[length++] = digits[--count];
  return omen_string_id_of (text, length);
}

/* Ids are given in the order of the file's table of threads. */
static bool
give_id (omen_self *self, omen_self *parent, bool first)
{
  omen_latch_take (&omen_tables_latch);
  if (first)
    self->path = omen_string_id_of ("0", 1);
  else
    self->path = make_path (parent, parent ? ++parent->children : 0);
  omen_file_thread entry = { self->path, OMEN_NONE };
  self->id = omen_table_add (OMEN_TABLE_THREAD, &entry, sizeof entry);
  omen_latch_give (&omen_tables_latch);
  return self->id != OMEN_NONE;
}

static omen_self *
make_self (omen_self *parent, bool first)
{
  omen_latch_take (&omen_threads_latch);
  omen_self *self = take_self ();
  if (self) {
    self->before = NULL;
    self->next = omen_threads;
    if (omen_threads)
      omen_threads->before = self;
    omen_threads = self;
    __atomic_fetch_add (&living, 1, __ATOMIC_RELAXED);
  }
  omen_latch_give (&omen_threads_latch);
  if (!self)
    return NULL;
  self->parent = parent ? parent->id : OMEN_NONE;
  if (give_id (self, parent, first))
    return self;
  omen_self_drop (self);
  return NULL;
}

omen_self *
omen_self_new (omen_self *parent)
{
  omen_busy_begin ();
  omen_self *self = make_self (parent, false);
  omen_busy_end ();
  return self;
}

void
omen_self_drop (omen_self *self)
{
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  unlink_self (self);
  give_self (self);
  __atomic_fetch_sub (&living, 1, __ATOMIC_RELAXED);
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
}

/* The program may free the memory of the handle as soon as the thread runs, so
   it is read with a system call that cannot fault. */
static pthread_t
read_handle (const pthread_t *at)
{
  pthread_t handle = 0;
  struct iovec here = { &handle, sizeof handle };
  struct iovec there = { (void *)at, sizeof handle };
  omen_call (SYS_process_vm_readv, omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0),
             (long)&here, 1, (long)&there, 1, 0);
  return handle;
}

/* The thread may have ended already, and its state may be in use by another
   one. */
pthread_t
omen_self_name (omen_self *self, uint32_t id, const pthread_t *at)
{
  pthread_t handle = 0;
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  if (self->id == id && !self->handle)
    self->handle = read_handle (at);
  if (self->id == id)
    handle = self->handle;
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  return handle;
}

static omen_thread_log *
find_log (const omen_self *self)
{
  if (omen_common_log)
    return omen_common_log;
  return omen_thread_log_new (
      self->id, omen_rt_options.sync_only ? NULL : &__omen_cursor);
}

/* A thread's stack is later the stack of another thread. Above its first frame
   are its thread-local variables, up to libc's own state, which begins at the
   thread pointer. */
static bool
find_stack (const omen_self *self, uint64_t range[6])
{
  pthread_attr_t attributes;
  void *start;
  size_t size;
  bool found = false;
  omen_scratch_room scratch;
  omen_quiet_begin ();
  omen_scratch_begin (&scratch);
  if (!pthread_getattr_np (pthread_self (), &attributes)) {
    if (!pthread_attr_getstack (&attributes, &start, &size)) {
      range[0] = (uintptr_t)start;
      range[1] = (uintptr_t)start + size;
      range[2] = self->top;
      range[3] = self->top ? (uintptr_t)pthread_self () : 0;
      range[4] = (uintptr_t)pthread_self ();
      range[5] = 0;
      found = true;
    }
    pthread_attr_destroy (&attributes);
  }
  omen_scratch_end ();
  omen_quiet_end ();
  return found;
}

static void
log_begin (const omen_self *self)
{
  uint64_t stack[6];
  if (find_stack (self, stack))
    omen_log_with (OMEN_ITEM_THREAD_BEGIN, OMEN_THREAD_OBJECT (self->id), 0,
                   self->parent, 0, stack, sizeof stack);
  else
    omen_log (OMEN_ITEM_THREAD_BEGIN, OMEN_THREAD_OBJECT (self->id), 0,
              self->parent, 0);
}

uint32_t
omen_threads_made (void)
{
  omen_latch_take (&omen_tables_latch);
  size_t made = omen_table_size (OMEN_TABLE_THREAD) / sizeof (omen_file_thread);
  omen_latch_give (&omen_tables_latch);
  return (uint32_t)made;
}

void
omen_self_find_way (const omen_self *self)
{
  omen_rt_disabled &= ~(uint32_t)OMEN_DISABLED_ODD;
  if (self->handlers || self->log == omen_common_log || omen_rt_scheduled
      || omen_rt_replay)
    omen_rt_disabled |= OMEN_DISABLED_ODD;
}

bool
omen_self_begin (omen_self *self)
{
  omen_busy_begin ();
  omen_thread_log *log
      = have_key && !pthread_setspecific (key, self) ? find_log (self) : NULL;
  if (log) {
    omen_latch_take (&omen_threads_latch);
    self->handle = pthread_self ();
    self->tid = (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
    self->log = log;
    self->busy = &omen_rt_busy;
    omen_latch_give (&omen_threads_latch);
    omen_rt_self = self;
    omen_rt_cursor = log->cursor;
    omen_rt_disabled &= ~(uint32_t)OMEN_DISABLED_NEW;
    omen_self_find_way (self);
  } else {
    omen_rt_disabled |= OMEN_DISABLED_GONE;
    pthread_setspecific (key, NULL);
    omen_self_drop (self);
  }
  omen_busy_end ();
  if (!omen_rt_self)
    return false;
  if (omen_rt_scheduled)
    omen_sched_thread_begin (self->id);
  log_begin (self);
  omen_log_time ();
  return true;
}

/* Keeps the state of a thread that can still be joined; frees the rest. */
static void
bury (omen_self *self)
{
  omen_thread_log *log = self->log;
  omen_latch_take (&omen_threads_latch);
  self->log = NULL;
  self->ended = true;
  if (self->detached) {
    unlink_self (self);
    give_self (self);
  }
  omen_latch_give (&omen_threads_latch);
  if (log != omen_common_log)
    omen_thread_log_free (log);
}

static void
end_self (omen_self *self)
{
  uint32_t id = self->id;
  omen_away_pause ();
  if (omen_rt_disabled & OMEN_DISABLED_WRITING)
    omen_tsan_settle ();
  omen_robust_end ();
  omen_log (OMEN_ITEM_THREAD_END, OMEN_THREAD_OBJECT (id), 0, 0, 0);
  omen_busy_begin ();
  if (!omen_common_log) {
    omen_latch_take (&self->log->latch);
    omen_thread_log_close (self->log);
    omen_thread_log_flush (self->log);
    omen_latch_give (&self->log->latch);
    __omen_cursor = NULL;
  }
  omen_rt_self = NULL;
  omen_rt_disabled |= OMEN_DISABLED_GONE;
  bury (self);
  omen_busy_end ();
  if (omen_rt_scheduled)
    omen_sched_thread_end (id);
  if (!__atomic_sub_fetch (&living, 1, __ATOMIC_ACQ_REL))
    omen_timer_stop ();
}

static void
end_round (void *at)
{
  omen_self *self = at;
  if (omen_rt_mode != OMEN_MODE_RECORD || self != omen_rt_self)
    return;
  if (++self->rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
    pthread_setspecific (key, self);
  else
    end_self (self);
}

/* A handle may be reused as soon as its thread was joined, before the joining
   call returns: so a joiner claims the thread before it waits. Among unclaimed
   threads at most one has the handle, apart from older ones whose end was not
   seen. */
static omen_self *
newest_of (pthread_t handle, bool claimed)
{
  omen_self *self = omen_threads;
  while (self
         && (self->handle != handle || self->detached
             || (self->claimed && !claimed)))
    self = self->next;
  return self;
}

/* The thread ended before its handle was known here: of the ended ones with
   that handle it was the first. */
static omen_self *
oldest_ended (pthread_t handle)
{
  omen_self *found = NULL;
  for (omen_self *self = omen_threads; self; self = self->next)
    if (self->handle == handle && !self->detached && !self->claimed
        && self->ended)
      found = self;
  return found;
}

uint32_t
omen_self_id_of (pthread_t handle)
{
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  omen_self *self = newest_of (handle, true);
  uint32_t id = self ? self->id : OMEN_NONE;
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  return id;
}

omen_self *
omen_self_claim (pthread_t handle, bool joined)
{
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  omen_self *self = joined ? oldest_ended (handle) : newest_of (handle, false);
  if (self)
    self->claimed = true;
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  return self;
}

/* Ends a claim. The state of a thread that has ended and was joined or detached
   (`over`) is freed. */
void
omen_self_unclaim (omen_self *self, bool over)
{
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  self->claimed = false;
  self->detached = over;
  if (over && self->ended) {
    unlink_self (self);
    give_self (self);
  }
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
}

omen_self *
omen_self_get (void)
{
  if (OMEN_LIKELY (omen_rt_self != NULL))
    return omen_rt_self;
  if (omen_rt_mode != OMEN_MODE_RECORD
      || !(omen_rt_disabled & OMEN_DISABLED_NEW) || omen_rt_busy)
    return NULL;
  omen_self *self = omen_self_new (NULL);
  if (!self) {
    omen_rt_disabled |= OMEN_DISABLED_GONE;
    return NULL;
  }
  self->detached = true;
  if (!omen_self_begin (self))
    return NULL;
  omen_outside_after (0); /* its creator, which may have been code that is not
                             woven, came before */
  return self;
}

uint32_t
omen_self_id (const omen_self *self)
{
  return self->id;
}

bool
omen_enabled_slow (void)
{
  if (omen_rt_disabled & OMEN_DISABLED_WRITING)
    omen_tsan_settle ();
  if (omen_rt_mode == OMEN_MODE_OFF)
    omen_rt_disabled = OMEN_DISABLED_GONE;
  return omen_rt_mode == OMEN_MODE_RECORD && omen_self_get ();
}

/* The forking thread is the only one left, and is thread 0 now. */
void
omen_threads_after_fork (void)
{
  omen_self *mine = omen_rt_self;
  omen_threads_latch = (omen_latch){ 0 };
  for (omen_self *self = omen_threads, *next; self; self = next) {
    next = self->next;
    if (self == mine)
      continue;
    if (self->log && !omen_common_log)
      omen_thread_log_free (self->log);
    give_self (self);
  }
  omen_threads = mine;
  living = mine != NULL;
  if (!mine)
    return;
  mine->before = mine->next = NULL;
  mine->tid = (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
  mine->parent = OMEN_NONE;
  mine->children = 0;
  give_id (mine, NULL, true);
  omen_thread_log_restart (mine->log, omen_common_log ? OMEN_NONE : mine->id);
  omen_log (OMEN_ITEM_THREAD_BEGIN, OMEN_THREAD_OBJECT (mine->id), 0, OMEN_NONE,
            0);
}

bool
omen_threads_start (void)
{
  have_key = !pthread_key_create (&key, end_round);
  if (!have_key)
    return false;
  if (omen_rt_options.global_log || *omen_rt_options.schedule)
    if (!(omen_common_log = omen_thread_log_new (OMEN_NONE, NULL)))
      return false;
  omen_busy_begin ();
  omen_self *self = make_self (NULL, true);
  omen_busy_end ();
  return self && omen_self_begin (self);
}
