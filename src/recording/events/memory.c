/* Accesses and blocks of memory. */
#include "recording/events/events.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

/* Longer ranges are one event without value. */
#define MOST_VALUED 64

/* ---- whose address is it ---- */

static const omen_data_object *
global_at (const omen_emitter *emitter, uint64_t address)
{
  const omen_data_object *objects = emitter->file->objects.data;
  size_t low = OMEN_FIRST_NOT (i, 0, emitter->file->objects.count,
                               objects[i].address + objects[i].size <= address);
  return low < emitter->file->objects.count && objects[low].address <= address
             ? &objects[low]
             : NULL;
}

static bool
in_stack (const omen_emitter *emitter, uint64_t address)
{
  for (size_t i = 0; i < emitter->actors.count; i++)
    if (address >= emitter->actors.data[i].stack_start
        && address < emitter->actors.data[i].stack_end)
      return true;
  return false;
}

static uint32_t
add_global (omen_emitter *emitter, const omen_data_object *object)
{
  const omen_name *name = &emitter->trace->strings.names[object->name];
  omen_vid v = omen_names_again (&emitter->trace->names[OMEN_OPERAND_VARIABLE],
                                 name->text, name->length);
  omen_layouts_shape (&emitter->trace->layouts, v, object->shape);
  return omen_blocks_add (&emitter->blocks, object->address, object->size,
                          OMEN_BLOCK_GLOBAL, v);
}

static uint32_t
region_of (omen_emitter *emitter, uint64_t address)
{
  const omen_mapped_part *part
      = omen_mappings_find (&emitter->file->mappings, address);
  uint32_t *region
      = omen_map_at (&emitter->regions, part ? ~part->start : address >> 16);
  uint64_t base, size;
  omen_vid v;
  const omen_block *block;
  if (*region != OMEN_NONE) {
    block = &emitter->blocks.blocks.data[*region];
    if (address - block->base < block->size)
      return *region;
  }
  v = omen_emit_region_name (emitter, address, &base, &size);
  if (size > UINT64_MAX - base)
    size = UINT64_MAX
           - base; /* the last block: its last byte belongs to no block */
  return *region
         = omen_blocks_add (&emitter->blocks, base, size, OMEN_BLOCK_REGION, v);
}

uint32_t
omen_emit_owner (omen_emitter *emitter, uint64_t address)
{
  uint32_t b = omen_blocks_find (&emitter->blocks, address);
  const omen_data_object *object;
  if (OMEN_LIKELY (b != OMEN_NONE))
    return b;
  object = global_at (emitter, address);
  return object && object->size < UINT32_MAX ? add_global (emitter, object)
                                             : OMEN_NONE;
}

uint32_t
omen_emit_block (omen_emitter *emitter, uint64_t address)
{
  uint32_t b = omen_emit_owner (emitter, address);
  if (OMEN_LIKELY (b != OMEN_NONE))
    return b;
  return in_stack (emitter, address) ? OMEN_NONE : region_of (emitter, address);
}

/* OMEN_NONE: an address outside all variables. */
static omen_pid
place_at (omen_emitter *emitter, uint64_t address, uint64_t size)
{
  uint32_t b = omen_emit_block (emitter, address);
  const omen_block *block;
  if (b == OMEN_NONE)
    return OMEN_NONE;
  block = &emitter->blocks.blocks.data[b];
  if (address - block->base > UINT32_MAX - 1 - size)
    return OMEN_NONE;
  return omen_trace_place (emitter->trace, block->variable,
                           (uint32_t)(address - block->base), (uint32_t)size);
}

/* ---- accesses ---- */

static void
set_value (omen_event *event, omen_value value)
{
  event->value = value.value;
  event->value_kind = value.kind;
}

/* Is the access left out, since nothing depends on it (scan/settled.h)? */
static bool
leaves_out (omen_emitter *emitter, uint64_t address, uint64_t size)
{
  bool settled = omen_settled_is (emitter->file->settled, address, size);
  emitter->trace->rebuilt.settled += settled;
  return settled;
}

static void
emit_access (omen_emitter *emitter, omen_kind kind, uint64_t address,
             unsigned size, uint64_t value, uint8_t remark)
{
  omen_pid place;
  if (leaves_out (emitter, address, size))
    return;
  place = place_at (emitter, address, size);
  if (place == OMEN_NONE) {
    emitter->trace->rebuilt.nobodys++;
    return;
  }
  omen_emit_event (emitter, kind, place);
  omen_emitter_last (emitter)->mode |= remark;
  if (emitter->values && kind != OMEN_EXTERNAL)
    set_value (omen_emitter_last (emitter),
               kind == OMEN_READ
                   ? omen_emit_loaded (emitter, address, size, value)
                   : omen_emit_stored (emitter, address, size, value));
  if (kind == OMEN_WRITE)
    omen_emit_written (emitter, address, size);
}

void
omen_emit_woven (omen_emitter *emitter, omen_kind kind)
{
  static const uint8_t remarks[] = { [OMEN_SITE_FOLLOWED] = OMEN_MODE_FOLLOWED,
                                     [OMEN_SITE_FREED] = OMEN_MODE_FREED };
  const omen_item *item = &emitter->item;
  unsigned use = kind == OMEN_READ
                     ? omen_notes_site_use (emitter->file, item->site)
                     : OMEN_SITE_UNUSED;
  bool values = emitter->values;
  emitter->values = values && !item->left;
  emit_access (emitter, kind, item->a, item->size, item->b, remarks[use]);
  emitter->values = values;
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
add_rmw (omen_emitter *emitter, unsigned size)
{
  const omen_item *item = &emitter->item;
  omen_rmw rmw = { { 0, 0 }, { OMEN_VALUE_NONE, OMEN_VALUE_NONE } };
  if (size <= 8) {
    omen_value old
        = omen_emit_loaded (emitter, item->a, size, item->parts[1].a);
    omen_value new
        = omen_emit_stored (emitter, item->a, size, item->parts[1].b);
    rmw = (omen_rmw){ { old.value, new.value }, { old.kind, new.kind } };
  }
  omen_emitter_last (emitter)->value = emitter->trace->rmws.count;
  OMEN_VEC_PUSH (emitter->trace->rmws, rmw);
}

void
omen_emit_atomic (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint64_t arg = omen_item_arg (item);
  const omen_file_site *site = omen_notes_site (emitter->file, (uint32_t)arg);
  bool failed = arg >> 63;
  omen_kind kind = failed || site->kind == OMEN_SITE_ATOMIC_LOAD
                       ? OMEN_ATOMIC_READ
                   : site->kind == OMEN_SITE_ATOMIC_STORE ? OMEN_ATOMIC_WRITE
                                                          : OMEN_ATOMIC_RMW;
  omen_pid place = place_at (emitter, item->a, site->size);
  if (place == OMEN_NONE)
    return;
  omen_emit_event (emitter, kind, place);
  omen_emitter_last (emitter)->order
      = order_for (kind, failed ? site->failure : site->order);
  if (kind == OMEN_ATOMIC_RMW && site->kind == OMEN_SITE_ATOMIC_CAS)
    omen_emitter_last (emitter)->mode |= OMEN_MODE_CAS;
  if (kind == OMEN_ATOMIC_RMW)
    add_rmw (emitter, site->size);
  else if (site->size <= 8)
    set_value (
        omen_emitter_last (emitter),
        kind == OMEN_ATOMIC_READ
            ? omen_emit_loaded (emitter, item->a, site->size, item->parts[1].a)
            : omen_emit_stored (emitter, item->a, site->size,
                                item->parts[1].b));
  if (kind != OMEN_ATOMIC_READ)
    omen_emit_written (emitter, item->a, site->size);
}

/* ---- ranges ---- */

/* How much of [address, end) is in one block, at most `most` bytes. */
static uint64_t
extent_in_block (omen_emitter *emitter, uint64_t address, uint64_t end)
{
  uint32_t b = omen_emit_block (emitter, address);
  uint64_t stop = address + 1;
  if (b != OMEN_NONE) {
    const omen_block *block = &emitter->blocks.blocks.data[b];
    if (block->base + block->size < end)
      end = block->base + block->size;
    return end > address ? end - address : 1;
  }
  while (stop < end && omen_emit_block (emitter, stop) == OMEN_NONE)
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
emit_unvalued (omen_emitter *emitter, omen_kind kind, uint64_t address,
               uint64_t size)
{
  omen_pid place = place_at (emitter, address, size);
  if (place != OMEN_NONE)
    omen_emit_event (emitter, kind, place);
}

/* The parts of it that are not left out. */
static void
emit_parts (omen_emitter *emitter, omen_kind kind, uint64_t address,
            uint64_t size)
{
  const omen_settled *settled = emitter->file->settled;
  uint64_t end = address + size, from = address, next;
  for (uint64_t at = address; settled && at < end; at = next) {
    next = (at | 7) + 1 < end ? (at | 7) + 1 : end;
    if (!omen_settled_is (settled, at, next - at))
      continue;
    if (from < at)
      emit_unvalued (emitter, kind, from, at - from);
    from = next;
  }
  if (from < end)
    emit_unvalued (emitter, kind, from, end - from);
  else
    emitter->trace->rebuilt.settled += size > 0;
}

/* Short ranges word by word, so that they have values; `i` is the offset in the
   range. */
static void
emit_words (omen_emitter *emitter, omen_kind kind, uint64_t i, uint64_t end)
{
  uint64_t base = emitter->item.a;
  while (i < end) {
    uint64_t next = ((base + i) | 7) + 1 - base;
    uint64_t stop = next < end ? next : end;
    unsigned size = (unsigned)(stop - i);
    emit_access (emitter, kind, base + i, size,
                 range_bytes (&emitter->item, i, size), 0);
    i = stop;
  }
}

void
omen_emit_range (omen_emitter *emitter, omen_kind kind, bool ignored)
{
  const omen_item *item = &emitter->item;
  uint64_t length = omen_item_length (item), address = item->a;
  if (emitter->file->blind)
    return;
  if (omen_emit_outside (emitter) == OMEN_OUTSIDE_LIBRARY) {
    /* why it may is not known */
    omen_emit_external (emitter, address, length);
    return;
  }
  if (ignored) {
    if (kind == OMEN_WRITE)
      omen_emit_external (emitter, address, length);
    return;
  }
  for (uint64_t i = 0; i < length;) {
    uint64_t size = extent_in_block (emitter, address + i, address + length);
    if (length <= MOST_VALUED)
      emit_words (emitter, kind, i, i + size);
    else
      emit_parts (emitter, kind, address + i, size);
    i += size;
  }
}

/* Large areas are emitted only where blocks are known: a program maps more than
   it uses. */
void
omen_emit_external (omen_emitter *emitter, uint64_t address, uint64_t length)
{
  uint64_t end = address + length;
  while (address < end) {
    uint64_t size = extent_in_block (emitter, address, end);
    emit_parts (emitter, OMEN_EXTERNAL, address, size);
    address += size;
  }
}

/* ---- blocks ---- */

void
omen_emit_alloc (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint64_t arg = omen_item_arg (item), size = arg & OMEN_ALLOC_SIZE;
  uint32_t b;
  omen_vid v;
  if (!size || size >= UINT32_MAX
      || omen_mappings_overlap (&emitter->file->mappings, item->a, size))
    return; /* regions of it become variables when they are used */
  v = omen_emit_heap_name (emitter, arg >> 56 & OMEN_ALLOC_MAP);
  omen_emit_heap_type (emitter, v, size);
  b = omen_blocks_add (&emitter->blocks, item->a, size, OMEN_BLOCK_HEAP, v);
  emitter->blocks.blocks.data[b].stack = omen_emit_stack_here (emitter);
  omen_emit_reachable (emitter, b);
  omen_emit_event (emitter, OMEN_ALLOC,
                   omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
  omen_emitter_last (emitter)->value = size;
  if (arg >> 56 & OMEN_ALLOC_RAW && !omen_emit_outside (emitter))
    omen_emitter_last (emitter)->mode |= OMEN_MODE_RAW;
}

/* Is a module there, too? The dynamic linker maps libraries unseen, also where
   the program had a mapping before; accesses are then the library's. */
static bool
is_module_there (const omen_emitter *emitter, const omen_block *block)
{
  const omen_trace *trace = emitter->trace;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    if (module->base < block->base + block->size
        && block->base < module->base + module->size)
      return true;
  }
  return false;
}

/* Why code that is not woven freed it (a reference count, mostly) is not
   recorded: the free comes after all uses that it came after in the run, and
   races with none. */
void
omen_emit_free (omen_emitter *emitter)
{
  uint32_t b = omen_blocks_find (&emitter->blocks, emitter->item.a);
  omen_block *block;
  bool outside;
  if (emitter->start
      && (b == OMEN_NONE
          || emitter->blocks.blocks.data[b].kind == OMEN_BLOCK_REGION))
    omen_emit_old_free (emitter);
  if (b == OMEN_NONE)
    return;
  block = &emitter->blocks.blocks.data[b];
  if (block->base != emitter->item.a || block->kind != OMEN_BLOCK_HEAP
      || block->freed)
    return;
  block->freed = true;
  outside = omen_emit_outside (emitter);
  if (!outside)
    omen_emit_destroyed_in (emitter, b);
  omen_emit_event (
      emitter, outside ? OMEN_EXTERNAL : OMEN_FREE,
      omen_trace_place (emitter->trace, block->variable, 0, OMEN_WHOLE));
  block = &emitter->blocks.blocks.data[b];
  if (!(block->base & 4095) && is_module_there (emitter, block))
    omen_blocks_remove (&emitter->blocks, b);
}

/* ---- locals ---- */

static void
end_local (omen_emitter *emitter, uint32_t b)
{
  omen_block *block = &emitter->blocks.blocks.data[b];
  OMEN_ASSERT (block->kind == OMEN_BLOCK_STACK && !block->freed);
  block->freed = true;
  omen_emit_destroyed_in (emitter, b);
  omen_emit_event (
      emitter, OMEN_FREE,
      omen_trace_place (emitter->trace, block->variable, 0, OMEN_WHOLE));
  if (!emitter->file->afterlife
      && omen_blocks_find (&emitter->blocks, block->base) == b)
    omen_blocks_remove (&emitter->blocks, b);
}

static void
remove_local (omen_emitter *emitter, size_t i)
{
  omen_actor *me = omen_emitter_me (emitter);
  uint32_t b = me->locals.data[i].block;
  for (; i + 1 < me->locals.count; i++)
    me->locals.data[i] = me->locals.data[i + 1];
  me->locals.count--;
  end_local (emitter, b);
}

/* Locals that a new one overlaps have ended. */
static void
end_overlapped (omen_emitter *emitter, uint64_t address, uint64_t size)
{
  for (size_t i = omen_emitter_me (emitter)->locals.count; i-- > 0;) {
    uint32_t b = omen_emitter_me (emitter)->locals.data[i].block;
    const omen_block *block = &emitter->blocks.blocks.data[b];
    if (block->base < address + size && address < block->base + block->size)
      remove_local (emitter, i);
  }
}

void
omen_emit_local (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  omen_actor *me = omen_emitter_me (emitter);
  uint64_t depth = me->frames.count ? OMEN_VEC_LAST (me->frames).depth : 0;
  omen_vid v;
  uint32_t b;
  if (!item->b || item->b >= UINT32_MAX)
    return;
  end_overlapped (emitter, item->a, item->b);
  v = omen_emit_local_name (emitter, item->site);
  b = omen_blocks_add (&emitter->blocks, item->a, item->b, OMEN_BLOCK_STACK, v);
  omen_emit_reachable (emitter, b);
  OMEN_VEC_PUSH (omen_emitter_me (emitter)->locals,
                 ((omen_actor_local){ depth, b }));
  omen_emit_event (emitter, OMEN_ALLOC,
                   omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
  omen_emitter_last (emitter)->value = item->b;
}

void
omen_emit_local_end (omen_emitter *emitter, uint64_t address)
{
  const omen_actor *me = omen_emitter_me (emitter);
  for (size_t i = me->locals.count; i-- > 0;)
    if (emitter->blocks.blocks.data[me->locals.data[i].block].base == address) {
      remove_local (emitter, i);
      return;
    }
}

void
omen_emit_locals_left (omen_emitter *emitter, uint64_t depth)
{
  for (;;) {
    omen_actor *me = omen_emitter_me (emitter);
    uint32_t b;
    if (!me->locals.count || OMEN_VEC_LAST (me->locals).depth <= depth)
      return;
    b = OMEN_VEC_POP (me->locals).block;
    end_local (emitter, b);
  }
}

/* ---- thread-local variables ---- */

void
omen_emit_thread_locals (omen_emitter *emitter, uint64_t start, uint64_t end)
{
  omen_vid v = omen_emit_thread_locals_name (emitter);
  uint32_t b = omen_blocks_add (&emitter->blocks, start, end - start,
                                OMEN_BLOCK_STACK, v);
  omen_emit_reachable (emitter, b);
  omen_emitter_me (emitter)->thread_locals = b;
  omen_emit_event (emitter, OMEN_ALLOC,
                   omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
  omen_emitter_last (emitter)->value = end - start;
}

/* The end of locals is no event: nothing would order it with other threads'
   uses, which may come a moment later. They stay until the memory is reused. */
void
omen_emit_thread_locals_end (omen_emitter *emitter)
{
  uint32_t *b = &omen_emitter_me (emitter)->thread_locals;
  if (*b != OMEN_NONE)
    OMEN_VEC_PUSH (emitter->ended_locals, *b);
  *b = OMEN_NONE;
}

void
omen_emit_stack (omen_emitter *emitter, uint64_t start, uint64_t end)
{
  for (size_t i = emitter->ended_locals.count; i-- > 0;) {
    uint32_t b = emitter->ended_locals.data[i];
    const omen_block *block = &emitter->blocks.blocks.data[b];
    if (block->base >= end || block->base + block->size <= start)
      continue;
    if (omen_blocks_find (&emitter->blocks, block->base) == b)
      omen_blocks_remove (&emitter->blocks, b);
    emitter->ended_locals.data[i] = OMEN_VEC_LAST (emitter->ended_locals);
    emitter->ended_locals.count--;
  }
}

/* ---- initial values ---- */

static void
init_place (omen_emitter *emitter, omen_pid p, uint64_t address)
{
  const omen_place *place = &emitter->trace->places.data[p];
  uint8_t bytes[8] = { 0 };
  uint64_t value, known;
  if (place->size > 8)
    return;
  known = omen_notes_data (emitter->file, address, place->size, bytes);
  if (known != ((uint64_t)1 << place->size) - 1)
    return;
  __builtin_memcpy (&value, bytes, sizeof value);
  OMEN_VEC_PUSH (
      emitter->trace->inits,
      ((omen_init){ p, value > INT64_MAX ? OMEN_VALUE_BIG : OMEN_VALUE_INT,
                    value }));
}

/* Values of globals when the recording began, where they are needed. */
void
omen_emit_inits (omen_emitter *emitter)
{
  uint32_t variables, *owner;
  if (!emitter->values || !emitter->file->data.count || emitter->file->late)
    return;
  omen_emit_asked (emitter);
  variables = emitter->trace->names[OMEN_OPERAND_VARIABLE].count;
  owner = omen_alloc (variables * sizeof *owner);
  for (uint32_t v = 0; v < variables; v++)
    owner[v] = OMEN_NONE;
  for (uint32_t b = 0; b < emitter->blocks.blocks.count; b++) {
    const omen_block *block = &emitter->blocks.blocks.data[b];
    if (block->kind == OMEN_BLOCK_GLOBAL || block->kind == OMEN_BLOCK_REGION)
      owner[block->variable] = b;
  }
  for (omen_pid p = 0; p < emitter->trace->places.count; p++) {
    const omen_place *place = &emitter->trace->places.data[p];
    uint32_t b = owner[place->variable];
    if (b == OMEN_NONE || omen_past_changed (&emitter->past, place->variable))
      continue;
    if (place->offset >= emitter->blocks.blocks.data[b].size) /* uses.c */
      OMEN_VEC_PUSH (emitter->trace->inits,
                     ((omen_init){ p, OMEN_VALUE_INT, 0 }));
    else
      init_place (emitter, p,
                  emitter->blocks.blocks.data[b].base + place->offset);
  }
  omen_free (owner);
}
