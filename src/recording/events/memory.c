/* Accesses and blocks of memory. */
#include "recording/events/events.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

/* Longer ranges are one event without value. */
#define MOST_VALUED 64

/* ---- whose address is it ---- */

static const omen_data_object *
global_at (const omen_telling *telling, uint64_t address)
{
  const omen_data_object *objects = telling->file->objects.data;
  size_t low = OMEN_FIRST_NOT (i, 0, telling->file->objects.count,
                               objects[i].address + objects[i].size <= address);
  return low < telling->file->objects.count && objects[low].address <= address
             ? &objects[low]
             : NULL;
}

static bool
in_stack (const omen_telling *telling, uint64_t address)
{
  for (size_t i = 0; i < telling->actors.count; i++)
    if (address >= telling->actors.data[i].stack_start
        && address < telling->actors.data[i].stack_end)
      return true;
  return false;
}

static uint32_t
add_global (omen_telling *telling, const omen_data_object *object)
{
  const omen_name *name = &telling->trace->strings.names[object->name];
  omen_vid v = omen_names_again (&telling->trace->names[OMEN_OPERAND_VARIABLE],
                                 name->text, name->length);
  omen_layouts_shape (&telling->trace->layouts, v, object->shape);
  return omen_blocks_add (&telling->blocks, object->address, object->size,
                          OMEN_BLOCK_GLOBAL, v);
}

static uint32_t
region_of (omen_telling *telling, uint64_t address)
{
  uint32_t *region = omen_map_at (&telling->regions, address >> 16);
  uint64_t base, size;
  omen_vid v;
  const omen_block *block;
  if (*region != OMEN_NONE) {
    block = &telling->blocks.blocks.data[*region];
    if (address - block->base < block->size)
      return *region;
  }
  v = omen_tell_region_name (telling, address, &base, &size);
  if (size > UINT64_MAX - base)
    size = UINT64_MAX - base; /* the last one: nobody has its last byte */
  return *region
         = omen_blocks_add (&telling->blocks, base, size, OMEN_BLOCK_REGION, v);
}

uint32_t
omen_tell_owner (omen_telling *telling, uint64_t address)
{
  uint32_t b = omen_blocks_find (&telling->blocks, address);
  const omen_data_object *object;
  if (OMEN_LIKELY (b != OMEN_NONE))
    return b;
  object = global_at (telling, address);
  return object && object->size < UINT32_MAX ? add_global (telling, object)
                                             : OMEN_NONE;
}

uint32_t
omen_tell_block (omen_telling *telling, uint64_t address)
{
  uint32_t b = omen_tell_owner (telling, address);
  if (OMEN_LIKELY (b != OMEN_NONE))
    return b;
  return in_stack (telling, address) ? OMEN_NONE : region_of (telling, address);
}

/* OMEN_NONE: an address that is nobody's variable. */
static omen_pid
place_of (omen_telling *telling, uint64_t address, uint64_t size)
{
  uint32_t b = omen_tell_block (telling, address);
  const omen_block *block;
  if (b == OMEN_NONE)
    return OMEN_NONE;
  block = &telling->blocks.blocks.data[b];
  if (address - block->base > UINT32_MAX - 1 - size)
    return OMEN_NONE;
  return omen_trace_place (telling->trace, block->variable,
                           (uint32_t)(address - block->base), (uint32_t)size);
}

/* ---- accesses ---- */

static void
set_value (omen_event *event, omen_value value)
{
  event->value = value.value;
  event->value_kind = value.kind;
}

/* Is it left out, since nothing depends on it (scan/settled.h)? */
static bool
leaves_out (omen_telling *telling, uint64_t address, uint64_t size)
{
  bool settled = omen_settled_is (telling->file->settled, address, size);
  telling->trace->rebuilt.settled += settled;
  return settled;
}

static void
tell_access (omen_telling *telling, omen_kind kind, uint64_t address,
             unsigned size, uint64_t value)
{
  omen_pid place;
  if (leaves_out (telling, address, size))
    return;
  place = place_of (telling, address, size);
  if (place == OMEN_NONE) {
    telling->trace->rebuilt.nobodys++;
    return;
  }
  omen_tell (telling, kind, place);
  if (telling->values && kind != OMEN_EXTERNAL)
    set_value (omen_tell_last (telling),
               kind == OMEN_READ
                   ? omen_tell_loaded (telling, address, size, value)
                   : omen_tell_stored (telling, address, size, value));
}

void
omen_tell_woven (omen_telling *telling, omen_kind kind)
{
  const omen_item *item = &telling->item;
  bool values = telling->values;
  telling->values = values && !item->left;
  tell_access (telling, kind, item->a, item->size, item->b);
  telling->values = values;
}

/* Orders that C11 does not allow come from the compiler's intrinsics. */
static uint8_t
order_for (omen_kind kind, unsigned order)
{
  if (kind == OMEN_ATOMIC_READ)
    return order == OMEN_ORDER_RELEASE   ? OMEN_ORDER_RELAXED
           : order == OMEN_ORDER_ACQ_REL ? OMEN_ORDER_ACQUIRE
                                         : (uint8_t)order;
  if (kind == OMEN_ATOMIC_WRITE)
    return order == OMEN_ORDER_ACQUIRE   ? OMEN_ORDER_RELAXED
           : order == OMEN_ORDER_ACQ_REL ? OMEN_ORDER_RELEASE
                                         : (uint8_t)order;
  return (uint8_t)order;
}

static void
add_rmw (omen_telling *telling, unsigned size)
{
  const omen_item *item = &telling->item;
  omen_rmw rmw = { { 0, 0 }, { OMEN_VALUE_NONE, OMEN_VALUE_NONE } };
  if (size <= 8) {
    omen_value old
        = omen_tell_loaded (telling, item->a, size, item->parts[1].a);
    omen_value new
        = omen_tell_stored (telling, item->a, size, item->parts[1].b);
    rmw = (omen_rmw){ { old.value, new.value }, { old.kind, new.kind } };
  }
  omen_tell_last (telling)->value = telling->trace->rmws.count;
  OMEN_VEC_PUSH (telling->trace->rmws, rmw);
}

void
omen_tell_atomic (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  uint64_t arg = omen_item_arg (item);
  const omen_file_site *site = omen_notes_site (telling->file, (uint32_t)arg);
  bool failed = arg >> 63;
  omen_kind kind = failed || site->kind == OMEN_SITE_ATOMIC_LOAD
                       ? OMEN_ATOMIC_READ
                   : site->kind == OMEN_SITE_ATOMIC_STORE ? OMEN_ATOMIC_WRITE
                                                          : OMEN_ATOMIC_RMW;
  omen_pid place = place_of (telling, item->a, site->size);
  if (place == OMEN_NONE)
    return;
  omen_tell (telling, kind, place);
  omen_tell_last (telling)->order
      = order_for (kind, failed ? site->failure : site->order);
  if (kind == OMEN_ATOMIC_RMW)
    add_rmw (telling, site->size);
  else if (site->size <= 8)
    set_value (
        omen_tell_last (telling),
        kind == OMEN_ATOMIC_READ
            ? omen_tell_loaded (telling, item->a, site->size, item->parts[1].a)
            : omen_tell_stored (telling, item->a, site->size,
                                item->parts[1].b));
}

/* ---- ranges ---- */

/* How much of [address, end) is of one block, at most `most` bytes. */
static uint64_t
extent_in_block (omen_telling *telling, uint64_t address, uint64_t end)
{
  uint32_t b = omen_tell_block (telling, address);
  uint64_t stop = address + 1;
  if (b != OMEN_NONE) {
    const omen_block *block = &telling->blocks.blocks.data[b];
    if (block->base + block->size < end)
      end = block->base + block->size;
    return end > address ? end - address : 1;
  }
  while (stop < end && omen_tell_block (telling, stop) == OMEN_NONE)
    stop++;
  return stop - address;
}

static uint64_t
range_bytes (const omen_item *item, uint64_t from, unsigned size)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++) {
    uint64_t at = (from + i) & ~UINT64_C (7);
    value |= (omen_item_bytes (item, at, omen_item_piece (item, at))
                  >> 8 * (from + i - at)
              & 0xff)
             << 8 * i;
  }
  return value;
}

static void
tell_unvalued (omen_telling *telling, omen_kind kind, uint64_t address,
               uint64_t size)
{
  omen_pid place = place_of (telling, address, size);
  if (place != OMEN_NONE)
    omen_tell (telling, kind, place);
}

/* The parts of it that are not left out. */
static void
tell_parts (omen_telling *telling, omen_kind kind, uint64_t address,
            uint64_t size)
{
  const omen_settled *settled = telling->file->settled;
  uint64_t end = address + size, from = address, next;
  for (uint64_t at = address; settled && at < end; at = next) {
    next = (at | 7) + 1 < end ? (at | 7) + 1 : end;
    if (!omen_settled_is (settled, at, next - at))
      continue;
    if (from < at)
      tell_unvalued (telling, kind, from, at - from);
    from = next;
  }
  if (from < end)
    tell_unvalued (telling, kind, from, end - from);
  else
    telling->trace->rebuilt.settled += size > 0;
}

/* Short ones in words, so that they have values; `i` is where in the range. */
static void
tell_words (omen_telling *telling, omen_kind kind, uint64_t i, uint64_t end)
{
  uint64_t base = telling->item.a;
  while (i < end) {
    uint64_t next = ((base + i) | 7) + 1 - base;
    uint64_t stop = next < end ? next : end;
    unsigned size = (unsigned)(stop - i);
    tell_access (telling, kind, base + i, size,
                 range_bytes (&telling->item, i, size));
    i = stop;
  }
}

void
omen_tell_range (omen_telling *telling, omen_kind kind, bool ignored)
{
  const omen_item *item = &telling->item;
  uint64_t length = omen_item_length (item), address = item->a;
  if (telling->file->blind)
    return;
  if (omen_tell_outside (telling) == OMEN_OUTSIDE_LIBRARY) {
    /* why it may is not known */
    omen_tell_external (telling, address, length);
    return;
  }
  if (ignored) {
    if (kind == OMEN_WRITE)
      omen_tell_external (telling, address, length);
    return;
  }
  for (uint64_t i = 0; i < length;) {
    uint64_t size = extent_in_block (telling, address + i, address + length);
    if (length <= MOST_VALUED)
      tell_words (telling, kind, i, i + size);
    else
      tell_parts (telling, kind, address + i, size);
    i += size;
  }
}

/* Large areas are only told of where blocks are known: a program maps more
   than it uses. */
void
omen_tell_external (omen_telling *telling, uint64_t address, uint64_t length)
{
  uint64_t end = address + length;
  while (address < end) {
    uint64_t size = extent_in_block (telling, address, end);
    tell_parts (telling, OMEN_EXTERNAL, address, size);
    address += size;
  }
}

/* ---- blocks ---- */

void
omen_tell_alloc (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  uint64_t arg = omen_item_arg (item), size = arg & OMEN_ALLOC_SIZE;
  uint32_t b;
  omen_vid v;
  if (!size || size >= UINT32_MAX)
    return; /* regions of it become variables when they are used */
  v = omen_tell_heap_name (telling, arg >> 56 & OMEN_ALLOC_MAP);
  b = omen_blocks_add (&telling->blocks, item->a, size, OMEN_BLOCK_HEAP, v);
  telling->blocks.blocks.data[b].stack = omen_tell_stack_here (telling);
  omen_tell_reachable (telling, b);
  omen_tell (telling, OMEN_ALLOC,
             omen_trace_place (telling->trace, v, 0, OMEN_WHOLE));
  omen_tell_last (telling)->value = size;
  if (arg >> 56 & OMEN_ALLOC_RAW && !omen_tell_outside (telling))
    omen_tell_last (telling)->mode |= OMEN_MODE_RAW;
}

/* Is a module there, too? The dynamic linker maps libraries unseen, also where
   the program had a mapping before; uses are then of the library. */
static bool
is_module_there (const omen_telling *telling, const omen_block *block)
{
  const omen_trace *trace = telling->trace;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    if (module->base < block->base + block->size
        && block->base < module->base + module->size)
      return true;
  }
  return false;
}

/* What made code that is not woven free it (a count of users, mostly) nobody
   saw: it then comes after all uses that it came after, and races with none. */
void
omen_tell_free (omen_telling *telling)
{
  uint32_t b = omen_blocks_find (&telling->blocks, telling->item.a);
  omen_block *block;
  bool outside;
  if (telling->start
      && (b == OMEN_NONE
          || telling->blocks.blocks.data[b].kind == OMEN_BLOCK_REGION))
    omen_tell_old_free (telling);
  if (b == OMEN_NONE)
    return;
  block = &telling->blocks.blocks.data[b];
  if (block->base != telling->item.a || block->kind != OMEN_BLOCK_HEAP
      || block->freed)
    return;
  block->freed = true;
  outside = omen_tell_outside (telling);
  if (!outside)
    omen_tell_destroyed_in (telling, b);
  omen_tell (telling, outside ? OMEN_EXTERNAL : OMEN_FREE,
             omen_trace_place (telling->trace, block->variable, 0, OMEN_WHOLE));
  block = &telling->blocks.blocks.data[b];
  if (!(block->base & 4095) && is_module_there (telling, block))
    omen_blocks_remove (&telling->blocks, b);
}

/* ---- locals ---- */

static void
end_local (omen_telling *telling, uint32_t b)
{
  omen_block *block = &telling->blocks.blocks.data[b];
  OMEN_ASSERT (block->kind == OMEN_BLOCK_STACK && !block->freed);
  block->freed = true;
  omen_tell_destroyed_in (telling, b);
  omen_tell (telling, OMEN_FREE,
             omen_trace_place (telling->trace, block->variable, 0, OMEN_WHOLE));
  if (!telling->file->afterlife
      && omen_blocks_find (&telling->blocks, block->base) == b)
    omen_blocks_remove (&telling->blocks, b);
}

static void
remove_local (omen_telling *telling, size_t i)
{
  omen_actor *me = omen_tell_me (telling);
  uint32_t b = me->locals.data[i].block;
  for (; i + 1 < me->locals.count; i++)
    me->locals.data[i] = me->locals.data[i + 1];
  me->locals.count--;
  end_local (telling, b);
}

/* Those that a new one overlaps are over. */
static void
end_overlapped (omen_telling *telling, uint64_t address, uint64_t size)
{
  for (size_t i = omen_tell_me (telling)->locals.count; i-- > 0;) {
    uint32_t b = omen_tell_me (telling)->locals.data[i].block;
    const omen_block *block = &telling->blocks.blocks.data[b];
    if (block->base < address + size && address < block->base + block->size)
      remove_local (telling, i);
  }
}

void
omen_tell_local (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  omen_actor *me = omen_tell_me (telling);
  uint64_t depth = me->frames.count ? OMEN_VEC_LAST (me->frames).depth : 0;
  omen_vid v;
  uint32_t b;
  if (!item->b || item->b >= UINT32_MAX)
    return;
  end_overlapped (telling, item->a, item->b);
  v = omen_tell_local_name (telling, item->site);
  b = omen_blocks_add (&telling->blocks, item->a, item->b, OMEN_BLOCK_STACK, v);
  omen_tell_reachable (telling, b);
  OMEN_VEC_PUSH (omen_tell_me (telling)->locals,
                 ((omen_actor_local){ depth, b }));
  omen_tell (telling, OMEN_ALLOC,
             omen_trace_place (telling->trace, v, 0, OMEN_WHOLE));
  omen_tell_last (telling)->value = item->b;
}

void
omen_tell_local_end (omen_telling *telling, uint64_t address)
{
  const omen_actor *me = omen_tell_me (telling);
  for (size_t i = me->locals.count; i-- > 0;)
    if (telling->blocks.blocks.data[me->locals.data[i].block].base == address) {
      remove_local (telling, i);
      return;
    }
}

void
omen_tell_locals_left (omen_telling *telling, uint64_t depth)
{
  for (;;) {
    omen_actor *me = omen_tell_me (telling);
    uint32_t b;
    if (!me->locals.count || OMEN_VEC_LAST (me->locals).depth <= depth)
      return;
    b = OMEN_VEC_POP (me->locals).block;
    end_local (telling, b);
  }
}

/* ---- thread-local variables ---- */

void
omen_tell_thread_locals (omen_telling *telling, uint64_t start, uint64_t end)
{
  omen_vid v = omen_tell_thread_locals_name (telling);
  uint32_t b = omen_blocks_add (&telling->blocks, start, end - start,
                                OMEN_BLOCK_STACK, v);
  omen_tell_reachable (telling, b);
  omen_tell_me (telling)->thread_locals = b;
  omen_tell (telling, OMEN_ALLOC,
             omen_trace_place (telling->trace, v, 0, OMEN_WHOLE));
  omen_tell_last (telling)->value = end - start;
}

/* That they end is no event: nothing would order it with who uses them, which
   may come a moment later. They stay until the memory is another's. */
void
omen_tell_thread_locals_end (omen_telling *telling)
{
  uint32_t *b = &omen_tell_me (telling)->thread_locals;
  if (*b != OMEN_NONE)
    OMEN_VEC_PUSH (telling->ended_locals, *b);
  *b = OMEN_NONE;
}

void
omen_tell_stack (omen_telling *telling, uint64_t start, uint64_t end)
{
  for (size_t i = telling->ended_locals.count; i-- > 0;) {
    uint32_t b = telling->ended_locals.data[i];
    const omen_block *block = &telling->blocks.blocks.data[b];
    if (block->base >= end || block->base + block->size <= start)
      continue;
    if (omen_blocks_find (&telling->blocks, block->base) == b)
      omen_blocks_remove (&telling->blocks, b);
    telling->ended_locals.data[i] = OMEN_VEC_LAST (telling->ended_locals);
    telling->ended_locals.count--;
  }
}

/* ---- initial values ---- */

static void
init_place (omen_telling *telling, omen_pid p, uint64_t address)
{
  const omen_place *place = &telling->trace->places.data[p];
  uint8_t bytes[8] = { 0 };
  uint64_t value, known;
  if (place->size > 8)
    return;
  known = omen_notes_data (telling->file, address, place->size, bytes);
  if (known != ((uint64_t)1 << place->size) - 1)
    return;
  __builtin_memcpy (&value, bytes, sizeof value);
  OMEN_VEC_PUSH (
      telling->trace->inits,
      ((omen_init){ p, value > INT64_MAX ? OMEN_VALUE_BIG : OMEN_VALUE_INT,
                    value }));
}

/* What globals held when the recording began, where somebody looks. */
void
omen_tell_inits (omen_telling *telling)
{
  uint32_t variables, *owner;
  if (!telling->values || !telling->file->data.count || telling->file->late)
    return;
  omen_tell_asked (telling);
  variables = telling->trace->names[OMEN_OPERAND_VARIABLE].count;
  owner = omen_alloc (variables * sizeof *owner);
  for (uint32_t v = 0; v < variables; v++)
    owner[v] = OMEN_NONE;
  for (uint32_t b = 0; b < telling->blocks.blocks.count; b++) {
    const omen_block *block = &telling->blocks.blocks.data[b];
    if (block->kind == OMEN_BLOCK_GLOBAL || block->kind == OMEN_BLOCK_REGION)
      owner[block->variable] = b;
  }
  for (omen_pid p = 0; p < telling->trace->places.count; p++) {
    const omen_place *place = &telling->trace->places.data[p];
    uint32_t b = owner[place->variable];
    if (b == OMEN_NONE || omen_past_changed (&telling->past, place->variable))
      continue;
    if (place->offset >= telling->blocks.blocks.data[b].size) /* uses.c */
      OMEN_VEC_PUSH (telling->trace->inits,
                     ((omen_init){ p, OMEN_VALUE_INT, 0 }));
    else
      init_place (telling, p,
                  telling->blocks.blocks.data[b].base + place->offset);
  }
  omen_free (owner);
}
