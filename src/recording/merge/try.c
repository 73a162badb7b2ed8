/* Failed tries. A lock is held from before its acquire takes a number until
   after its release does, so by the numbers a try can fail at a lock that is
   free: then it belongs before the release that it came after, or after the
   acquire that it came before. */
#include "recording/merge/merge.h"
#include "wire/item_numbers.h"

struct omen_merge_lock {
  uint64_t writers, readers; /* depths */
  uint64_t released[2]; /* step of the last release of all holders, and by the
                           writer */
};

static struct omen_merge_lock *
lock_of (omen_merge *merge, uint64_t address)
{
  uint32_t *index;
  struct omen_merge_lock *lock;
  if (address == OMEN_MAP_NO_KEY)
    address--;
  index = omen_map_at (&merge->lock_index, address);
  if (*index != OMEN_NONE)
    return merge->locks.data[*index];
  lock = OMEN_ARENA_NEW (&merge->arena, struct omen_merge_lock, 1);
  lock->released[0] = lock->released[1] = UINT64_MAX;
  *index = (uint32_t)merge->locks.count;
  OMEN_VEC_PUSH (merge->locks, lock);
  return lock;
}

static void
set_holders (omen_merge *merge, struct omen_merge_lock *lock, uint64_t writers,
             uint64_t readers)
{
  if (lock->writers && !writers)
    lock->released[1] = merge->step;
  if (lock->writers + lock->readers && !(writers + readers))
    lock->released[0] = merge->step;
  lock->writers = writers;
  lock->readers = readers;
}

static void
merge_release (omen_merge *merge, struct omen_merge_lock *lock)
{
  if (lock->writers)
    set_holders (merge, lock, lock->writers - 1, lock->readers);
  else if (lock->readers)
    set_holders (merge, lock, 0, lock->readers - 1);
}

bool
omen_try_follow (omen_merge *merge, uint32_t t, const omen_item *item,
                 uint64_t *address)
{
  bool condition = item->kind == OMEN_ITEM_WAIT || item->kind == OMEN_ITEM_WAKE;
  struct omen_merge_lock *lock;
  *address = condition ? item->parts[1].a : item->a;
  if (!condition
      && (item->kind < OMEN_ITEM_ACQUIRE || item->kind > OMEN_ITEM_LOCK_DESTROY
          || omen_item_arg (item) & OMEN_LOCK_ERROR))
    return false;
  lock = lock_of (merge, *address);
  switch (item->kind) {
  case OMEN_ITEM_ACQUIRE:
  case OMEN_ITEM_WAKE:
    set_holders (merge, lock, lock->writers + 1, lock->readers);
    return true;
  case OMEN_ITEM_READ_ACQUIRE:
    set_holders (merge, lock, lock->writers, lock->readers + 1);
    return true;
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
    merge_release (merge, lock);
    return false;
  case OMEN_ITEM_WAIT:
  case OMEN_ITEM_LOCK_INIT:
  case OMEN_ITEM_LOCK_DESTROY:
    set_holders (merge, lock, 0, 0);
    return false;
  default:
    return false;
  }
}

bool
omen_try_fits (omen_merge *merge, const omen_item *item)
{
  const struct omen_merge_lock *lock = lock_of (merge, item->a);
  return lock->writers || (item->kind == OMEN_ITEM_TRY_FAIL && lock->readers);
}

/* Inserts it before the release, if the thread has done nothing since. */
static bool
put_back (omen_merge *merge, uint32_t t, const omen_item *item)
{
  uint64_t step = lock_of (merge, item->a)
                      ->released[item->kind == OMEN_ITEM_READ_TRY_FAIL];
  if (step == UINT64_MAX || step < merge->threads[t].after)
    return false;
  omen_numbers_pass (merge, item);
  omen_merge_insert (merge, t, item, step);
  return true;
}

/* Skips the number of t's failed try, so that others can go on, and blocks t
   until the lock is held or the try is resolved in another way. */
bool
omen_try_fail (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t at = omen_cursor_position (&thread->cursor);
  bool passed = at < thread->tried;
  if (!passed && !omen_numbers_turn (merge, t, item))
    return false;
  if (omen_try_fits (merge, item) || thread->given_up == at + 1
      || merge->one_log) {
    omen_merge_pass (merge, t, item);
    return true;
  }
  if (!passed && put_back (merge, t, item))
    return true;
  if (!passed) {
    omen_numbers_pass (merge, item);
    thread->tried = at + item->notes;
  }
  omen_blocked_add (merge, t);
  return false;
}

/* The first item from `ahead` on that has a number, unless it is far away. */
static bool
find_numbered (omen_note_cursor *ahead, omen_item *item)
{
  enum { FAR = 1000 };
  uint64_t from = omen_cursor_position (ahead);
  while (omen_cursor_position (ahead) < from + FAR
         && omen_cursor_peek (ahead, item)) {
    if (omen_item_numbered (item->kind))
      return true;
    omen_cursor_pass (ahead, item);
  }
  return false;
}

bool
omen_try_ahead (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t tried = thread->tried;
  omen_item item, next;
  omen_note_cursor ahead;
  if (!omen_cursor_peek (&thread->cursor, &item) || !omen_try_is (&item))
    return false;
  omen_cursor_init (&ahead, merge->file, thread->cursor.thread);
  omen_cursor_seek (&ahead, tried);
  while (find_numbered (&ahead, &next) && omen_try_fails (&next)
         && next.a == item.a) {
    omen_numbers_pass (merge, &next);
    omen_cursor_pass (&ahead, &next);
    tried = omen_cursor_position (&ahead);
  }
  omen_cursor_fini (&ahead);
  if (tried == thread->tried)
    return false;
  thread->tried = tried;
  return true;
}
