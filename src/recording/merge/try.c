/* Failed tries. A lock is held from before its acquire is numbered until after
   its release is, so a try can fail, as far as numbers go, at a lock that is
   free: then it belongs before the release that it came after, or after the
   acquire that it came before. */
#include "recording/merge/merge.h"
#include "wire/item_numbers.h"

/* Lives in the arena: cells of it are remembered. */
struct omen_merge_lock {
  uint64_t writers, readers; /* depths */
  /* when it was last given up by all, by the writer: */
  struct {
    uint64_t step, thread, position;
  } released[2];
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
  lock->released[0].step = lock->released[1].step = UINT64_MAX;
  *index = (uint32_t)merge->locks.count;
  OMEN_VEC_PUSH (merge->locks, lock);
  return lock;
}

static void
released (omen_merge *merge, struct omen_merge_lock *lock, unsigned by_writer,
          uint32_t t)
{
  uint64_t at = omen_cursor_position (&merge->threads[t].cursor);
  omen_merge_set (merge, &lock->released[by_writer].step, merge->step);
  omen_merge_set (merge, &lock->released[by_writer].thread, t);
  omen_merge_set (merge, &lock->released[by_writer].position, at);
}

static void
set (omen_merge *merge, struct omen_merge_lock *lock, uint32_t t,
     uint64_t writers, uint64_t readers)
{
  if (lock->writers && !writers)
    released (merge, lock, 1, t);
  if (lock->writers + lock->readers && !(writers + readers))
    released (merge, lock, 0, t);
  if (lock->writers != writers)
    omen_merge_set (merge, &lock->writers, writers);
  if (lock->readers != readers)
    omen_merge_set (merge, &lock->readers, readers);
}

static void
give (omen_merge *merge, struct omen_merge_lock *lock, uint32_t t)
{
  if (lock->writers)
    set (merge, lock, t, lock->writers - 1, lock->readers);
  else if (lock->readers)
    set (merge, lock, t, 0, lock->readers - 1);
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
    set (merge, lock, t, lock->writers + 1, lock->readers);
    return true;
  case OMEN_ITEM_READ_ACQUIRE:
    set (merge, lock, t, lock->writers, lock->readers + 1);
    return true;
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
    give (merge, lock, t);
    return false;
  case OMEN_ITEM_WAIT:
  case OMEN_ITEM_LOCK_INIT:
  case OMEN_ITEM_LOCK_DESTROY:
    set (merge, lock, t, 0, 0);
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

bool
omen_try_release (omen_merge *merge, const omen_item *item, uint64_t *step,
                  uint32_t *thread, uint64_t *position)
{
  const struct omen_merge_lock *lock = lock_of (merge, item->a);
  unsigned by_writer = item->kind == OMEN_ITEM_READ_TRY_FAIL;
  *step = lock->released[by_writer].step;
  *thread = (uint32_t)lock->released[by_writer].thread;
  *position = lock->released[by_writer].position;
  return *step != UINT64_MAX;
}

/* To before the release, if the thread has done nothing since. */
static bool
put_back (omen_merge *merge, uint32_t t, const omen_item *item)
{
  uint64_t step, position;
  uint32_t thread;
  if (merge->careful
      || !omen_try_release (merge, item, &step, &thread, &position)
      || step < merge->threads[t].after)
    return false;
  omen_numbers_pass (merge, item);
  omen_merge_insert (merge, t, item, step);
  return true;
}

/* Its number is passed, so that others can go on, and it sleeps until somebody
   takes the lock or it is given an answer. */
bool
omen_try_fail (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint64_t at = omen_cursor_position (&thread->cursor);
  bool passed = at < thread->tried;
  if (merge->early && omen_try_fits (merge, item)) {
    omen_merge_pass (merge, t, item);
    return true;
  }
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
    omen_merge_set (merge, &thread->tried, at + item->notes);
  }
  omen_sleep_fall (merge, t);
  return false;
}

/* The first item from `ahead` on that has a number, unless it is far. */
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
  omen_merge_set (merge, &thread->tried, tried);
  return true;
}
