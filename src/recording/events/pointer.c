/* Values: bits, or, of a pointer, its target.

   Freed memory is reused: pointers to two blocks may have the same bits in this
   run and different ones in the next. So a pointer into a heap or stack block
   is represented as (block, offset). The block is determined at the store and
   kept for later loads, since by then the block may be freed and its memory
   reused.

   Only values of eight bytes, stored as a whole, are taken for pointers. An
   integer mistaken for a pointer is harmless: it equals fewer other values. */
#include "recording/events/events.h"

static bool
comes_and_goes (const omen_block *block)
{
  return block->kind == OMEN_BLOCK_HEAP || block->kind == OMEN_BLOCK_STACK;
}

/* The block that contains the byte, or ends there. */
static uint32_t
target_of (const omen_emitter *emitter, uint64_t bits)
{
  uint32_t b = omen_blocks_find (&emitter->blocks, bits);
  return b != OMEN_NONE ? b : omen_blocks_find (&emitter->blocks, bits - 1);
}

/* Most numbers do not look like an address at all. */
static bool
may_point (const omen_emitter *emitter, unsigned size, uint64_t bits)
{
  return size == sizeof bits && bits >= emitter->lowest
         && bits <= emitter->highest;
}

/* False: it leads nowhere. */
static bool
find_pointer (const omen_emitter *emitter, uint64_t bits, uint64_t *value)
{
  const omen_block *block;
  uint32_t b;
  b = target_of (emitter, bits);
  if (b == OMEN_NONE)
    return false;
  block = &emitter->blocks.blocks.data[b];
  OMEN_ASSERT (bits >= block->base && bits - block->base <= block->size);
  *value = (uint64_t)block->variable << 32 | (bits - block->base);
  return comes_and_goes (block);
}

void
omen_emit_reachable (omen_emitter *emitter, uint32_t b)
{
  omen_block *block = &emitter->blocks.blocks.data[b];
  OMEN_ASSERT (comes_and_goes (block) && block->size < UINT32_MAX);
  block->maker = omen_emitter_me (emitter)->thread;
  if (block->base < emitter->lowest)
    emitter->lowest = block->base;
  if (block->base + block->size > emitter->highest)
    emitter->highest = block->base + block->size;
}

static omen_value
plain_value (uint64_t bits)
{
  return (omen_value){ bits,
                       bits > INT64_MAX ? OMEN_VALUE_BIG : OMEN_VALUE_INT };
}

omen_value
omen_emit_stored (omen_emitter *emitter, uint64_t address, unsigned size,
                  uint64_t bits)
{
  omen_pointer pointer = { bits, 0 };
  uint32_t *known;
  if (!may_point (emitter, size, bits)
      || !find_pointer (emitter, bits, &pointer.value))
    return plain_value (bits);
  known = omen_map_at (&emitter->pointer_at, address);
  if (*known == OMEN_NONE) {
    *known = (uint32_t)emitter->pointers.count;
    OMEN_VEC_PUSH (emitter->pointers, pointer);
  } else
    emitter->pointers.data[*known] = pointer;
  return (omen_value){ pointer.value, OMEN_VALUE_POINTER };
}

/* What is remembered may be from an older store than the one that is seen, with
   equal bits by chance. Then one is a pointer and the other is not, and they
   are not compared. */
omen_value
omen_emit_loaded (const omen_emitter *emitter, uint64_t address, unsigned size,
                  uint64_t bits)
{
  uint32_t known;
  if (!may_point (emitter, size, bits))
    return plain_value (bits);
  known = omen_map_get (&emitter->pointer_at, address);
  if (known == OMEN_NONE || emitter->pointers.data[known].bits != bits)
    return plain_value (bits);
  return (omen_value){ emitter->pointers.data[known].value,
                       OMEN_VALUE_POINTER };
}
