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
