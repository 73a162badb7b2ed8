#include "recording/merge/living.h"

#define PAGE_BITS 12
#define LARGE ((uint64_t)1 << OMEN_HARD_OR (14, 20))

void
omen_living_init (omen_living *living, omen_map *frees)
{
  *living = (omen_living){ .frees = frees };
  omen_map_init (&living->pages);
}

void
omen_living_fini (omen_living *living)
{
  OMEN_VEC_FINI (living->blocks);
  OMEN_VEC_FINI (living->links);
  OMEN_VEC_FINI (living->unused_blocks);
  OMEN_VEC_FINI (living->unused_links);
  OMEN_VEC_FINI (living->large);
  omen_map_fini (&living->pages);
}

static omen_living_block
block_of (const omen_item *alloc)
{
  uint64_t arg = omen_item_arg (alloc);
  return (omen_living_block){ alloc->a, arg & OMEN_ALLOC_SIZE,
                              (arg >> 56 & OMEN_ALLOC_MAP) != 0 };
}

/* ---- asking ---- */

static uint32_t
frees_left (const omen_living *living, uint64_t base)
{
  uint32_t left
      = base == OMEN_MAP_NO_KEY ? 0 : omen_map_get (living->frees, base);
  return left == OMEN_NONE ? 0 : left;
}

/* A block that is not freed later does not constrain the order. */
static bool
in_the_way (const omen_living *living, uint32_t b, const omen_living_block *new)
{
  const omen_living_block *old = &living->blocks.data[b];
  return old->mapped == new->mapped
         && old->base < new->base + new->size &&new->base
                < old->base + old->size &&frees_left (living, old->base);
}

static uint32_t
first_in (const omen_living *living, uint64_t page)
{
  uint32_t first = omen_map_get (&living->pages, page);
  return first && first != OMEN_NONE ? first - 1 : OMEN_NONE;
}

static bool
is_page_free (const omen_living *living, uint64_t page,
              const omen_living_block *new)
{
  for (uint32_t l = first_in (living, page); l != OMEN_NONE;
       l = living->links.data[l].next)
    if (in_the_way (living, living->links.data[l].block, new))
      return false;
  return true;
}

/* Checks every live block; for a block that covers many pages. */
static bool
is_all_free (const omen_living *living, const omen_living_block *new)
{
  for (uint32_t b = 0; b < living->blocks.count; b++)
    if (in_the_way (living, b, new))
      return false;
  return true;
}

bool
omen_living_may (const omen_living *living, const omen_item *alloc)
{
  omen_living_block new = block_of (alloc);
  if (!new.size)
    return true;
  if (new.size >= LARGE)
    return is_all_free (living, &new);
  for (size_t i = 0; i < living->large.count; i++)
    if (in_the_way (living, living->large.data[i], &new))
      return false;
  for (uint64_t page = new.base >> PAGE_BITS;
       page <= (new.base + new.size - 1) >> PAGE_BITS; page++)
    if (!is_page_free (living, page, &new))
      return false;
  return true;
}

/* ---- following ---- */

static void
link_page (omen_living *living, uint64_t page, uint32_t b)
{
  uint32_t *first = omen_map_at (&living->pages, page), l;
  omen_living_link link
      = { b, *first && *first != OMEN_NONE ? *first - 1 : OMEN_NONE };
  if (living->unused_links.count)
    living->links.data[l = OMEN_VEC_POP (living->unused_links)] = link;
  else {
    l = (uint32_t)living->links.count;
    OMEN_VEC_PUSH (living->links, link);
  }
  *first = l + 1;
}

static void
add (omen_living *living, omen_living_block new)
{
  uint32_t b;
  if (living->unused_blocks.count)
    living->blocks.data[b = OMEN_VEC_POP (living->unused_blocks)] = new;
  else {
    b = (uint32_t)living->blocks.count;
    OMEN_VEC_PUSH (living->blocks, new);
  }
  if (new.size >= LARGE) {
    OMEN_VEC_PUSH (living->large, b);
    return;
  }
  for (uint64_t page = new.base >> PAGE_BITS;
       page <= (new.base + new.size - 1) >> PAGE_BITS; page++)
    link_page (living, page, b);
}

static void
unlink_page (omen_living *living, uint64_t page, uint32_t b)
{
  uint32_t before = OMEN_NONE, l = first_in (living, page);
  for (; l != OMEN_NONE && living->links.data[l].block != b;
       l = living->links.data[l].next)
    before = l;
  if (l == OMEN_NONE)
    return;
  uint32_t next = living->links.data[l].next;
  if (before == OMEN_NONE)
    *omen_map_at (&living->pages, page) = next == OMEN_NONE ? 0 : next + 1;
  else
    living->links.data[before].next = next;
  OMEN_VEC_PUSH (living->unused_links, l);
}

static void
drop (omen_living *living, uint32_t b)
{
  omen_living_block *old = &living->blocks.data[b];
  if (old->size >= LARGE) {
    for (size_t i = 0; i < living->large.count; i++)
      if (living->large.data[i] == b) {
        living->large.data[i] = OMEN_VEC_LAST (living->large);
        living->large.count--;
        break;
      }
  } else
    for (uint64_t page = old->base >> PAGE_BITS;
         page <= (old->base + old->size - 1) >> PAGE_BITS; page++)
      unlink_page (living, page, b);
  *old = (omen_living_block){ 0 };
  OMEN_VEC_PUSH (living->unused_blocks, b);
}

/* The block that begins there, or OMEN_NONE. */
static uint32_t
living_at (const omen_living *living, uint64_t base)
{
  for (uint32_t l = first_in (living, base >> PAGE_BITS); l != OMEN_NONE;
       l = living->links.data[l].next)
    if (living->blocks.data[living->links.data[l].block].base == base)
      return living->links.data[l].block;
  for (size_t i = 0; i < living->large.count; i++)
    if (living->blocks.data[living->large.data[i]].base == base)
      return living->large.data[i];
  return OMEN_NONE;
}

bool
omen_living_follow (omen_living *living, const omen_item *item)
{
  uint32_t b = living_at (living, item->a);
  if (b != OMEN_NONE)
    drop (living, b);
  if (item->kind == OMEN_ITEM_ALLOC) {
    omen_living_block new = block_of (item);
    if (new.size && frees_left (living, new.base))
      add (living, new);
  } else if (frees_left (living, item->a))
    --*omen_map_at (living->frees, item->a);
  return b != OMEN_NONE;
}
