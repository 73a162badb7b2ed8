/* Memory for slicers, mapped from the kernel: blocks of a few sizes in regions,
   which are unmapped as soon as they are empty. A region is aligned, so that
   the address of a block gives its region; all blocks of a region have one
   size.

     [region | block | block | …        ]   2 MiB

   With millions of instances most of the time would go into page faults, so the
   kernel is asked for huge pages once a region is full. */
#include "runtime/monitor/monitor.h"

#include <sys/mman.h>

enum {
  REGION = 2 << 20, /* as large as a huge page */
  LARGE = 64 << 10,
  CLASSES = 128,
  GRAIN = 16,
  PAGE = 4096
};

typedef struct region {
  struct region *next, *before; /* list of the class's regions that have room */
  struct class *class;
  uint32_t live, count;
  /* Small blocks: the freed ones, linked by their first word, and how many were
     ever used. */
  void *given;
  uint32_t fresh;
  /* Large blocks: one bit for each that is in use. */
  uint64_t taken[REGION / PAGE / 64];
} region;

typedef struct class {
  size_t bytes;
  region *with_room;
  bool is_large; /* it has filled a region */
} class;

static class classes[CLASSES];
static omen_latch latch;

static size_t
rounded (size_t bytes, size_t to)
{
  return (bytes + to - 1) / to * to;
}

/* There are few sizes, since callers allocate few kinds of things; if the table
   is full, larger blocks are mapped one by one. */
static class *
class_of (size_t bytes)
{
  for (size_t i = 0; i < CLASSES; i++) {
    class *c = &classes[bytes / GRAIN * 7 % CLASSES + i < CLASSES
                            ? bytes / GRAIN * 7 % CLASSES + i
                            : bytes / GRAIN * 7 % CLASSES + i - CLASSES];
    if (c->bytes == bytes)
      return c;
    if (!c->bytes) {
      c->bytes = bytes;
      return c;
    }
  }
  return NULL;
}

static void
ask_for_huge (void *at, size_t bytes)
{
  if (bytes >= REGION)
    omen_call (SYS_madvise, (long)at, (long)bytes, MADV_HUGEPAGE, 0, 0, 0);
}

static region *
new_region (class *c)
{
  char *at = omen_pages (2 * REGION), *from;
  if (!at)
    return NULL;
  from = (char *)rounded ((uintptr_t)at, REGION);
  if (from > at)
    omen_pages_free (at, (size_t)(from - at));
  if (from < at + REGION)
    omen_pages_free (from + REGION, (size_t)(at + REGION - from));
  region *r = (region *)from;
  if (c->is_large)
    ask_for_huge (r, REGION);
  r->class = c;
  r->count = (uint32_t)((REGION - rounded (sizeof *r, GRAIN)) / c->bytes);
  return r;
}

static void
link_region (region *r)
{
  r->before = NULL;
  r->next = r->class->with_room;
  if (r->next)
    r->next->before = r;
  r->class->with_room = r;
}

static void
unlink_region (region *r)
{
  if (r->before)
    r->before->next = r->next;
  else
    r->class->with_room = r->next;
  if (r->next)
    r->next->before = r->before;
}

static char *
block_at (const region *r, uint32_t i)
{
  return (char *)r + rounded (sizeof *r, GRAIN) + i * r->class->bytes;
}

static bool
is_taken (const region *r, uint32_t i)
{
  return r->taken[i / 64] >> i % 64 & 1;
}

static void *
take_small (region *r)
{
  void *block = r->given;
  if (!block)
    return block_at (r, r->fresh++);
  r->given = *(void **)block;
  return block;
}

static void *
take_large (region *r)
{
  uint32_t i = 0;
  while (is_taken (r, i))
    i += r->taken[i / 64] == UINT64_MAX ? 64 - i % 64 : 1;
  OMEN_ASSERT (i < r->count);
  r->taken[i / 64] |= UINT64_C (1) << i % 64;
  return block_at (r, i);
}

static void *
take_block (class *c)
{
  region *r = c->with_room;
  if (!r) {
    if (!(r = new_region (c)))
      return NULL;
    link_region (r);
  }
  if (++r->live == r->count) {
    unlink_region (r);
    c->is_large = true;
  }
  return c->bytes < PAGE ? take_small (r) : take_large (r);
}

/* Returns the pages of a freed large block to the kernel before the region is
   empty, with pages it shares with free neighbours. Not while little is in use:
   memory that is freed and allocated all the time should stay. */
static void
let_go (const region *r, uint32_t i)
{
  uintptr_t from = (uintptr_t)block_at (r, i), to = from + r->class->bytes;
  bool before = i && !is_taken (r, i - 1);
  bool after = i + 1 < r->count && !is_taken (r, i + 1);
  from = before ? from / PAGE * PAGE : rounded (from, PAGE);
  to = after ? rounded (to, PAGE) : to / PAGE * PAGE;
  if (from < to)
    omen_call (SYS_madvise, (long)from, (long)(to - from), MADV_DONTNEED, 0, 0,
               0);
}

static void
give_large (region *r, void *block)
{
  uint32_t i = (uint32_t)(((char *)block - block_at (r, 0))
                          / (ptrdiff_t)r->class->bytes);
  r->taken[i / 64] &= ~(UINT64_C (1) << i % 64);
  if (r->class->is_large)
    let_go (r, i);
}

static void
give_block (void *block)
{
  region *r = (region *)((uintptr_t)block / REGION * REGION);
  if (r->live-- == r->count)
    link_region (r);
  if (r->class->bytes >= PAGE)
    give_large (r, block);
  else {
    *(void **)block = r->given;
    r->given = block;
  }
  if (r->live || (r->class->with_room == r && !r->next))
    return; /* the last region stays for the next allocation */
  unlink_region (r);
  omen_pages_free (r, REGION);
}

static class *
class_for (size_t bytes)
{
  return bytes <= LARGE ? class_of (rounded (bytes ? bytes : 1, GRAIN)) : NULL;
}

static void *
pool_get (void *self, size_t bytes)
{
  omen_solo_take (&latch);
  class *c = class_for (bytes);
  void *block = c ? take_block (c) : omen_pages (rounded (bytes, PAGE));
  if (!c && block)
    ask_for_huge (block, bytes);
  omen_solo_give (&latch);
  return block;
}

static void
put_block (void *self, void *block, size_t bytes)
{
  omen_solo_take (&latch);
  if (class_for (bytes))
    give_block (block);
  else
    omen_pages_free (block, rounded (bytes, PAGE));
  omen_solo_give (&latch);
}

const omen_memory omen_monitor_memory = { pool_get, put_block, NULL };
