/* What an item reads or writes, and which words of memory had what it reads. */
#include "recording/merge/merge.h"
#include "wire/abi.h"

/* ---- what the item at a cursor reads ---- */

omen_extent
omen_item_extent (const omen_notes_file *file, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
  case OMEN_SITE_STORE:
    return (omen_extent){ item->a, item->size };
  case OMEN_SITE_EXTERNAL:
    return (omen_extent){ item->a, item->b };
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    return (omen_extent){ item->a, omen_item_length (item) };
  case OMEN_ITEM_EXTERNAL:
    return (omen_extent){ item->a, omen_item_arg (item) };
  case OMEN_ITEM_ALLOC:
    return (omen_extent){ item->a, omen_item_arg (item) & OMEN_ALLOC_SIZE };
  case OMEN_ITEM_ATOMIC:
    return (omen_extent){
      item->a, omen_notes_site (file, (uint32_t)omen_item_arg (item))->size
    };
  default:
    return (omen_extent){ 0, 0 };
  }
}

bool
omen_extents_overlap (omen_extent a, omen_extent b)
{
  return a.address < b.address + b.length && b.address < a.address + a.length;
}

/* ---- what an item writes ---- */

uint64_t
omen_item_written (const omen_item *item, omen_extent extent, uint64_t address)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; i++) {
    uint64_t at = address + i - extent.address, word = at & ~UINT64_C (7), b;
    if (address + i < extent.address || at >= extent.length)
      continue;
    if (item->kind == OMEN_SITE_STORE)
      b = item->b >> 8 * at;
    else if (item->kind == OMEN_ITEM_ATOMIC)
      b = item->parts[1 + at / 8].b >> 8 * (at - word);
    else if (item->kind == OMEN_ITEM_RANGE_WRITE)
      b = omen_item_bytes (item, word, omen_item_piece (item, word))
          >> 8 * (at - word);
    else
      b = 0;
    value |= (b & 0xff) << 8 * i;
  }
  return value;
}

unsigned
omen_extent_mask (omen_extent extent, uint64_t address)
{
  unsigned mask = 0;
  for (unsigned i = 0; i < 8; i++)
    if (address + i >= extent.address
        && address + i - extent.address < extent.length)
      mask |= 1u << i;
  return mask;
}

bool
omen_item_obscures (const omen_item *item)
{
  return item->left || item->kind == OMEN_SITE_EXTERNAL
         || item->kind == OMEN_ITEM_EXTERNAL
         || item->kind == OMEN_SITE_STACK_ALLOC
         || (item->kind == OMEN_ITEM_ALLOC
             && !(omen_item_arg (item) >> 56 & OMEN_ALLOC_ZERO));
}

/* ---- the past of a word ---- */

/* Byte i of what an item reads. */
static uint8_t
byte_read (const omen_item *item, uint64_t i)
{
  uint64_t at = i & ~UINT64_C (7);
  if (item->kind == OMEN_SITE_LOAD)
    return (uint8_t)(item->b >> 8 * i);
  if (item->kind == OMEN_ITEM_ATOMIC)
    return (uint8_t)(item->parts[1 + i / 8].a >> 8 * (i - at));
  return (uint8_t)(omen_item_bytes (item, at, omen_item_piece (item, at))
                   >> 8 * (i - at));
}

bool
omen_wanted_word (const omen_merge *merge, const omen_item *item, uint64_t k,
                  omen_wanted *w)
{
  omen_extent extent = omen_item_extent (merge->file, item);
  *w = (omen_wanted){ .address = (extent.address & ~UINT64_C (7)) + 8 * k };
  for (unsigned i = 0; i < 8; i++) {
    uint64_t at = w->address + i - extent.address;
    if (w->address + i < extent.address || at >= extent.length)
      continue;
    w->mask |= 1u << i;
    w->value |= (uint64_t)byte_read (item, at) << 8 * i;
  }
  return w->mask;
}

bool
omen_wanted_whole (const omen_merge *merge, const omen_item *item,
                   omen_wanted *w)
{
  omen_extent extent = omen_item_extent (merge->file, item);
  return !item->left && extent.length && extent.address % 8 + extent.length <= 8
         && omen_wanted_word (merge, item, 0, w);
}

const omen_change *
omen_wanted_last (omen_merge *merge, const omen_wanted *w)
{
  const omen_page *page = omen_image_page (&merge->image, w->address);
  return omen_image_change (&merge->image, w->address,
                            page->last[w->address / 8 % OMEN_PAGE_WORDS]);
}

bool
omen_wanted_before (const omen_change *change, const omen_wanted *w)
{
  return !((change->old ^ w->value)
           & omen_image_bits (w->mask & change->known));
}

bool
omen_item_writes (const omen_notes_file *file, const omen_item *item)
{
  switch (item->kind) {
  case OMEN_SITE_STORE:
  case OMEN_SITE_EXTERNAL:
  case OMEN_ITEM_RANGE_WRITE:
  case OMEN_ITEM_EXTERNAL:
  case OMEN_ITEM_ALLOC:
    return true;
  case OMEN_ITEM_ATOMIC:
    return !omen_item_atomic_reads (file, item);
  default:
    return false;
  }
}
