/* Logging: the items of interposed functions, and the records of woven code
   that found no room. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/log/safepoint.h"
#include "runtime/log/item.h"
#include "runtime/log/ring.h"
#include "runtime/core/signals.h"
#include "runtime/hooks/tsan.h"

#include <stdarg.h>
#include <x86intrin.h>

bool omen_rt_woven;
omen_shard_state omen_shards[OMEN_SHARDS];

#define ALWAYS_INLINE inline __attribute__ ((always_inline))

static __attribute__ ((noinline)) omen_note *
open_room_for_all (omen_self *self)
{
  omen_thread_log *log = self->log;
  omen_latch_take (&log->latch);
  omen_note *at = omen_thread_log_room (log);
  if (log->current != self->id) {
    log->current = self->id;
    *at++ = (omen_note){ OMEN_ITEM_SITE (OMEN_ITEM_SWITCH), self->id, 0 };
  }
  return at;
}

/* Room for an item of this thread; close_room ends what begins here. Nothing
   else of this thread is logged between the two. */
static ALWAYS_INLINE omen_note *
open_room (omen_self *self)
{
  if (OMEN_UNLIKELY (self->handlers))
    omen_signal_unwound (self);
  omen_busy_begin ();
  return OMEN_LIKELY (self->log != omen_common_log)
             ? omen_thread_log_room (self->log)
             : open_room_for_all (self);
}

static ALWAYS_INLINE void
close_room (omen_self *self, void *end)
{
  omen_thread_log *log = self->log;
  __atomic_store_n (log->cursor, end, __ATOMIC_RELEASE);
  if (OMEN_UNLIKELY (log == omen_common_log))
    omen_latch_give (&log->latch);
  omen_busy_end ();
}

/* A thread that is about to block, perhaps until the program is killed, writes
   its log, but not too often. */
static __attribute__ ((noinline)) void
write_before_wait (omen_self *self)
{
  const uint64_t a_while = UINT64_C (1) << 22; /* cycles: about 1 ms */
  uint64_t now = __rdtsc ();
  if (omen_common_log || now - self->waited < a_while)
    return; /* the bytes of a run under a schedule must not depend on time */
  self->waited = now;
  omen_log_flush_mine ();
}

static bool
waits (enum omen_item_kind kind)
{
  return kind == OMEN_ITEM_REQUEST || kind == OMEN_ITEM_WAIT
         || kind == OMEN_ITEM_ARRIVE;
}

static void *
put_long (omen_note *at, enum omen_item_kind kind, const uint64_t *words,
          const void *more, size_t size)
{
  omen_site *part = OMEN_ITEM_SITE (OMEN_ITEM_PART);
  *at++ = (omen_note){ OMEN_ITEM_SITE (kind), words[0], words[1] };
  *at++ = (omen_note){ part, words[2], words[3] };
  for (const char *p = more; size; at++) {
    size_t piece = size < 16 ? size : 16;
    *at = (omen_note){ part, 0, 0 };
    if (OMEN_LIKELY (piece == 16))
      __builtin_memcpy (&at->a, p, 16);
    else
      omen_bytes_copy (&at->a, p, piece);
    p += piece;
    size -= piece;
  }
  return at;
}

static ALWAYS_INLINE void
log_item (enum omen_item_kind kind, const volatile void *object,
          uint64_t number, uint64_t arg, uint64_t pc, const void *more,
          size_t size)
{
  omen_self *self = omen_rt_self;
  const uint64_t words[] = { (uintptr_t)object, number, arg, pc };
  uint64_t pair[2];
  if (OMEN_UNLIKELY (!self || size > OMEN_LOG_MORE))
    return;
  omen_note *room = open_room (self);
  uint64_t *at = (uint64_t *)room;
  if (OMEN_LIKELY (!size))
    close_room (self, omen_item_put (at, kind, object, number, arg, pc));
  else if (OMEN_LIKELY (size == sizeof pair)) {
    __builtin_memcpy (pair, more, sizeof pair);
    close_room (self, omen_item_put_with (at, kind, object, number, arg, pc,
                                          pair[0], pair[1]));
  } else
    close_room (self, put_long (room, kind, words, more, size));
  if (OMEN_UNLIKELY (waits (kind)))
    write_before_wait (self);
  if (OMEN_UNLIKELY (omen_rt_replay))
    omen_replay_item (kind, arg);
}

void
omen_log_with (enum omen_item_kind kind, const volatile void *object,
               uint64_t number, uint64_t arg, uint64_t pc, const void *more,
               size_t size)
{
  log_item (kind, object, number, arg, pc, more, size);
}

/* The fast path that most items take. */
void
omen_log (enum omen_item_kind kind, const volatile void *object,
          uint64_t number, uint64_t arg, uint64_t pc)
{
  if (OMEN_LIKELY (omen_fast_path () && !waits (kind)))
    omen_item (kind, object, number, arg, pc);
  else
    log_item (kind, object, number, arg, pc, NULL, 0);
}

void
omen_log_now (enum omen_item_kind kind, const volatile void *object,
              uint64_t arg, uint64_t pc)
{
  if (OMEN_LIKELY (omen_fast_path () && !waits (kind))) {
    omen_item_now (kind, object, arg, pc);
    return;
  }
  bool busy = omen_numbered_begin ();
  log_item (kind, object, omen_number (object), arg, pc, NULL, 0);
  omen_numbered_end (busy);
}

void
omen_item_room (void)
{
  omen_busy_begin ();
  omen_thread_log_make_room (omen_rt_self->log);
  omen_busy_end ();
  omen_safepoint_point ();
}

/* ---- ranges ---- */

static const omen_bytes_head read_head
    = { OMEN_HEAD_BYTES, OMEN_ITEM_RANGE_READ - OMEN_ITEM_FIRST + 1, NULL };
static const omen_bytes_head write_head
    = { OMEN_HEAD_BYTES, OMEN_ITEM_RANGE_WRITE - OMEN_ITEM_FIRST + 1, NULL };
static const omen_bytes_head copy_head
    = { OMEN_HEAD_BYTES, OMEN_ITEM_RANGE_READ - OMEN_ITEM_FIRST + 1,
        &write_head };

/* Returns the end; the record of a copy is one word longer. */
static ALWAYS_INLINE uint64_t *
put_range (uint64_t *at, const omen_bytes_head *head,
           const volatile void *address, const void *bytes, size_t size,
           uint64_t place)
{
  size_t words = OMEN_BYTES_WORDS + (size + 7) / 8;
  at[0] = (uintptr_t)head;
  at[1] = place;
  at[2] = (uintptr_t)address;
  at[3] = size;
  at[words - 1] = 0;
  omen_bytes_copy_short (at + OMEN_BYTES_WORDS, bytes, size);
  return at + words;
}

static uint64_t
place_word (uint64_t pc, omen_site *site)
{
  return site ? OMEN_PLACE_SITE | omen_site_id (site) : pc;
}

void
omen_log_range (enum omen_item_kind kind, const volatile void *address,
                const void *bytes, size_t size, uint64_t pc, omen_site *site)
{
  omen_self *self = omen_rt_self;
  const omen_bytes_head *head
      = kind == OMEN_ITEM_RANGE_READ ? &read_head : &write_head;
  uint64_t place = place_word (pc, site);
  if (OMEN_UNLIKELY (!self || (!site && omen_unwinds (pc))))
    return;
  for (size_t done = 0, piece; done < size; done += piece) {
    piece = size - done < OMEN_LOG_MORE ? size - done : OMEN_LOG_MORE;
    uint64_t *at = (uint64_t *)open_room (self);
    close_room (self,
                put_range (at, head, (const volatile char *)address + done,
                           (const char *)bytes + done, piece, place));
    if (OMEN_UNLIKELY (omen_rt_replay))
      omen_replay_item (kind, 0);
  }
}

void
omen_log_copy (const volatile void *to, const volatile void *from,
               const void *bytes, size_t size, uint64_t pc, omen_site *site)
{
  omen_self *self = omen_rt_self;
  if (OMEN_UNLIKELY (!self || !size || (!site && omen_unwinds (pc))))
    return;
  uint64_t place = place_word (pc, site), *at = (uint64_t *)open_room (self);
  uint64_t *end = put_range (at, &copy_head, from, bytes, size, place);
  *end = (uintptr_t)to;
  close_room (self, end + 1);
}

void
omen_log_note (enum omen_item_kind kind, uint64_t object)
{
  omen_log_woven (object, 0, OMEN_ITEM_SITE (kind));
}

void
omen_log_time (void)
{
  if (!omen_common_log)
    omen_log_note (OMEN_ITEM_TIME, __rdtsc ());
}

void
omen_log_woven (uint64_t a, uint64_t b, omen_site *site)
{
  omen_self *self = omen_rt_self;
  if (!self)
    return;
  omen_note *at = open_room (self);
  *at++ = (omen_note){ site, a, b };
  close_room (self, at);
  if (OMEN_UNLIKELY (omen_rt_replay))
    omen_replay_item (site->kind, 0);
}

/* Called by woven code whose buffer is full or that has none, and always if it
   is not optimised. */
void
omen_note_taken (uint64_t a, uint64_t b, omen_site *site)
{
  if (OMEN_UNLIKELY (omen_rt_mode != OMEN_MODE_RECORD
                     || omen_rt_options.sync_only || omen_file_closed)) {
    if (omen_rt_mode != OMEN_MODE_START)
      __omen_cursor = OMEN_CURSOR_DISABLED;
    return;
  }
  if (OMEN_UNLIKELY (!omen_self_get ()))
    return;
  if (OMEN_UNLIKELY (omen_rt_disabled & OMEN_DISABLED_WRITING))
    omen_tsan_settle ();
  if (OMEN_UNLIKELY (!omen_rt_woven))
    omen_rt_woven = true;
  omen_log_woven (a, b, site);
  if (omen_rt_scheduled)
    omen_sched_point ((enum omen_item_kind)site->kind,
                      (const volatile void *)a);
  omen_safepoint_point ();
}

void
__omen_lane (const volatile void *addr, uint64_t value, omen_site *site)
{
  if (addr)
    omen_note_taken ((uintptr_t)addr, value, site);
}

/* ---- loops that are noted whole ---- */

/* Splits a loop record: the next turns begin where these end. */
static void
turn_on (const omen_code_block *block, uint64_t *words, uint64_t turns)
{
  uint64_t moved = 0; /* all accesses by one base have the same stride */
  for (uint32_t i = 0; i < block->count; i++) {
    const omen_member *m = &block->members[i];
    uint64_t stride = omen_member_stride (m, words);
    if (!(moved >> m->base & 1))
      words[m->base] += turns * stride;
    moved |= UINT64_C (1) << m->base;
  }
}

static void
log_turns (omen_self *self, const omen_code_block *block, const uint64_t *words,
           uint64_t turns)
{
  omen_thread_log *log = self->log;
  uint32_t notes = (uint32_t)turns * block->count;
  uint64_t *at = (uint64_t *)open_room (self);
  if (log->loops + notes > OMEN_LOOP_NOTES_MAX)
    at = (uint64_t *)omen_thread_log_make_room (log);
  log->loops += notes;
  for (unsigned i = 1; i < block->words; i++)
    at[i] = words[i];
  at[0] = (uintptr_t)block;
  at[block->words - 1] = turns;
  close_room (self, at + block->words);
}

void
__omen_loop (void *block, ...)
{
  const omen_code_block *b = block;
  va_list note;
  uint64_t words[OMEN_BLOCK_WORDS], turns, most;
  if (OMEN_UNLIKELY (omen_file_closed || !omen_self_get ()))
    return;
  omen_rt_woven = true;
  va_start (note, block);
  for (unsigned i = 1; i < b->words; i++)
    words[i] = va_arg (note, uint64_t);
  va_end (note);
  turns = words[b->words - 1];
  most = OMEN_LOOP_NOTES_MAX / b->count;
  for (uint64_t now; turns; turns -= now) {
    now = turns < most ? turns : most;
    log_turns (omen_rt_self, b, words, now);
    turn_on (b, words, now);
  }
  if (OMEN_UNLIKELY (!__atomic_load_n (&__omen_loops, __ATOMIC_SEQ_CST)))
    omen_library_late (OMEN_PC);
}

void
omen_shard_lock (const volatile void *object)
{
  omen_busy_begin ();
  omen_latch_take (&omen_shards[omen_shard ((uintptr_t)object)].lock);
}

void
omen_shard_unlock (const volatile void *object)
{
  omen_latch_give (&omen_shards[omen_shard ((uintptr_t)object)].lock);
  omen_busy_end ();
}

/* Most were never used: their pages stay untouched. */
void
omen_shards_after_fork (void)
{
  for (size_t i = 0; i < OMEN_SHARDS; i++)
    if (omen_shards[i].number || omen_shards[i].lock.state)
      omen_shards[i] = (omen_shard_state){ 0 };
}

/* Flushes a log; `notes`: adds the number of its records so far. False: not
   possible now. */
static bool
flush_log (omen_thread_log *log, uint64_t *notes)
{
  enum { LATCH_WAIT = 2000 };
  if (!omen_latch_try (&log->latch, LATCH_WAIT))
    return false;
  omen_thread_log_flush (log);
  *notes = log->index;
  omen_latch_give (&log->latch);
  return true;
}

void
omen_log_flush_mine (void)
{
  omen_self *self = omen_rt_self;
  uint64_t notes;
  omen_busy_begin ();
  if (self && !omen_common_log) {
    omen_thread_log_close (self->log);
    flush_log (self->log, &notes);
  }
  omen_busy_end ();
}

void
omen_log_flush_old (void)
{
  static uint64_t last;
  const uint64_t a_while = UINT64_C (1) << 28; /* cycles: about 0.1 s */
  if (omen_common_log && !omen_rt_options.stream)
    return; /* there are no other logs, and the bytes depend on the seed alone
             */
  bool due = omen_rt_options.ring && omen_ring_wants_mark ();
  if (omen_rt_options.ring)
    omen_safepoint_ask (due);
  uint64_t before = __atomic_load_n (&last, __ATOMIC_RELAXED), now = __rdtsc ();
  if ((OMEN_LIKELY (now - before < a_while) && !due)
      || !__atomic_compare_exchange_n (&last, &before, now, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;
  omen_log_flush_all ();
}

/* Flushes the logs of all threads; the latch is held. A mark says how far each
   has come: what a thread logs later has a higher position. A ring always gets
   one; otherwise only if a reader reads along and something new was written. */
static void
flush_threads (void)
{
  static uint64_t before;
  const bool ring = omen_rt_options.ring;
  omen_tick_mark *mark
      = ring || omen_rt_options.stream ? omen_mark_new (0) : NULL;
  uint64_t sum = 0;
  bool all = true;
  for (omen_self *self = omen_threads; self; self = self->next) {
    uint64_t notes = self->ended ? UINT64_MAX : 0;
    if (self->log)
      all &= flush_log (self->log, &notes);
    sum += notes;
    if (mark)
      omen_mark_add (mark, self->id, notes);
  }
  if (mark)
    omen_mark_end (mark, all && (ring || sum != before));
  before = sum;
}

void
omen_log_flush_all (void)
{
  enum { LATCH_WAIT = 2000 };
  uint64_t notes;
  omen_busy_begin ();
  if (omen_rt_self)
    omen_thread_log_close (omen_rt_self->log);
  if (omen_common_log)
    flush_log (omen_common_log, &notes);
  else if (omen_latch_try (&omen_threads_latch, LATCH_WAIT)) {
    flush_threads ();
    omen_latch_give (&omen_threads_latch);
  }
  omen_busy_end ();
}
