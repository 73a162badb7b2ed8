/* Copy a trace into one whose ids are numbered as in its text: each id is made
   when an event first mentions it. */
#include "trace/ids.h"

#include <stdio.h>
#include <string.h>

typedef struct renumbering {
  omen_trace *old, *new;
  uint32_t *map[OMEN_IDS_RMW]; /* old id -> new id, or OMEN_NONE */
} renumbering;

static omen_names *
names_of (omen_trace *trace, unsigned table)
{
  return table == OMEN_IDS_LOCATION ? &trace->locations
         : table == OMEN_IDS_SYMBOL ? &trace->symbols
                                    : &trace->names[table];
}

static uint32_t
table_size (omen_trace *trace, unsigned table)
{
  return table == OMEN_OPERAND_PLACE ? (uint32_t)trace->places.count
                                     : names_of (trace, table)->count;
}

static uint32_t new_id (renumbering *r, unsigned table, uint32_t old);

static uint32_t
make_id (renumbering *r, unsigned table, uint32_t old)
{
  const omen_name *name;
  OMEN_ASSERT (table != OMEN_OPERAND_NOTHING && table < OMEN_IDS_RMW);
  if (table == OMEN_OPERAND_PLACE) {
    const omen_place *p = &r->old->places.data[old];
    omen_vid v = new_id (r, OMEN_OPERAND_VARIABLE, p->variable);
    return omen_trace_place (r->new, v, p->offset, p->size);
  }
  name = &names_of (r->old, table)->names[old];
  if (table == OMEN_OPERAND_THREAD)
    return omen_trace_thread (r->new, name->text, name->length);
  if (table == OMEN_OPERAND_VARIABLE)
    return omen_names_again (&r->new->names[table], name->text, name->length);
  return omen_names_id (names_of (r->new, table), name->text, name->length);
}

static uint32_t
new_id (renumbering *r, unsigned table, uint32_t old)
{
  uint32_t *entry = &r->map[table][old];
  OMEN_ASSERT (old < table_size (r->old, table));
  if (*entry == OMEN_NONE)
    *entry = make_id (r, table, old);
  return *entry;
}

static uint32_t
new_string (renumbering *r, omen_sid old)
{
  const omen_name *name;
  if (old == OMEN_NONE)
    return OMEN_NONE;
  name = &r->old->strings.names[old];
  return omen_names_id (&r->new->strings, name->text, name->length);
}

static uint64_t
new_value (renumbering *r, unsigned kind, uint64_t value)
{
  if (kind == OMEN_VALUE_SYMBOL)
    return new_id (r, OMEN_IDS_SYMBOL, (uint32_t)value);
  if (kind == OMEN_VALUE_POINTER)
    return (uint64_t)new_id (r, OMEN_OPERAND_VARIABLE, (uint32_t)(value >> 32))
               << 32
           | (uint32_t)value;
  return value;
}

static uint64_t
copy_rmw (renumbering *r, const omen_rmw *old)
{
  omen_rmw new = *old;
  for (int i = 0; i < 2; i++)
    new.value[i] = new_value (r, old->value_kind[i], old->value[i]);
  OMEN_VEC_PUSH (r->new->rmws, new);
  return r->new->rmws.count - 1;
}

static uint64_t
copy_emit (renumbering *r, const omen_emit *old)
{
  omen_emit new = { (uint32_t)r->new->emit_args.count, old->count };
  for (uint32_t i = 0; i < old->count; i++) {
    omen_emit_arg arg = r->old->emit_args.data[old->first + i];
    arg.key = new_string (r, arg.key);
    arg.value = new_value (r, arg.value_kind, arg.value);
    OMEN_VEC_PUSH (r->new->emit_args, arg);
  }
  OMEN_VEC_PUSH (r->new->emits, new);
  return r->new->emits.count - 1;
}

static uint64_t
copy_value (renumbering *r, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_ATOMIC_RMW:
    return copy_rmw (r, &r->old->rmws.data[event->value]);
  case OMEN_EMIT:
    return copy_emit (r, &r->old->emits.data[event->value]);
  case OMEN_WAIT:
  case OMEN_WAKE:
    return event->value == OMEN_NONE
               ? OMEN_NONE
               : new_id (r, OMEN_OPERAND_LOCK, (uint32_t)event->value);
  default:
    return new_value (r, event->value_kind, event->value);
  }
}

/* New ids are made in the order in which omen_ids_in_event visits them. */
static void
copy_event (renumbering *r, const omen_event *old)
{
  unsigned table = omen_ids_of_object (old->kind);
  omen_event new = *old;
  new.thread = new_id (r, OMEN_OPERAND_THREAD, old->thread);
  if (table != OMEN_OPERAND_NOTHING)
    new.object = new_id (r, table, old->object);
  new.value = copy_value (r, old);
  new.location = new_id (r, OMEN_IDS_LOCATION, old->location);
  OMEN_VEC_PUSH (r->new->events, new);
}

/* `used`: by variable, whether to copy its init lines; NULL: all. */
static void
copy_inits (renumbering *r, const bool *used)
{
  for (size_t i = 0; i < r->old->inits.count; i++) {
    omen_init init = r->old->inits.data[i];
    if (used && !used[r->old->places.data[init.place].variable])
      continue;
    init.place = new_id (r, OMEN_OPERAND_PLACE, init.place);
    init.value = new_value (r, init.value_kind, init.value);
    OMEN_VEC_PUSH (r->new->inits, init);
  }
}

/* Extras refer to events by index in the thread, which does not change; their
   dependences are stored in the order of the events. */
static void
copy_extras (renumbering *r)
{
  for (size_t i = 0; i < r->old->extras.count; i++) {
    omen_extra extra = r->old->extras.data[i];
    uint32_t first = (uint32_t)r->new->dependences.count;
    for (uint32_t d = 0; d < extra.reads; d++)
      OMEN_VEC_PUSH (r->new->dependences,
                     r->old->dependences.data[extra.first_read + d]);
    extra.first_read = extra.reads ? first : 0;
    OMEN_VEC_PUSH (r->new->extras, extra);
  }
}

/* Names that only stacks mention come after all others. */
static void
copy_stacks (renumbering *r)
{
  for (size_t i = 0; i < r->old->stacks.count; i++) {
    omen_frame frame = r->old->stacks.data[i];
    if (frame.function != OMEN_NONE)
      frame.function = new_id (r, OMEN_OPERAND_FUNCTION, frame.function);
    if (frame.location != OMEN_NONE)
      frame.location = new_id (r, OMEN_IDS_LOCATION, frame.location);
    OMEN_VEC_PUSH (r->new->stacks, frame);
  }
}

/* Shapes of variables that nothing mentions are dropped. */
static void
copy_layouts (renumbering *r)
{
  const omen_layouts *old = &r->old->layouts;
  omen_layouts *new = &r->new->layouts;
  for (size_t i = 0; i < old->list.count; i++) {
    const omen_layout *layout = &old->list.data[i];
    for (uint32_t m = 0; m < layout->count; m++) {
      omen_layout_member member = old->members.data[layout->first + m];
      member.name = new_string (r, member.name);
      OMEN_VEC_PUSH (new->members, member);
    }
    omen_layouts_add (new, layout->count, omen_layout_flags (layout));
  }
  for (omen_vid v = 0; v < old->shapes.count; v++) {
    omen_variable_shape shape = old->shapes.data[v];
    uint32_t id = r->map[OMEN_OPERAND_VARIABLE][v];
    shape.source = new_string (r, shape.source);
    if (id != OMEN_NONE)
      omen_layouts_shape (new, id, shape);
    if (id != OMEN_NONE && omen_layouts_type_of (old, v) != OMEN_NONE)
      omen_layouts_type (new, id,
                         new_string (r, omen_layouts_type_of (old, v)));
  }
}

/* Stacks keep their numbers. */
static void
copy_homes (renumbering *r)
{
  for (omen_lid l = 0; l < r->old->homes.count; l++) {
    omen_home home = r->old->homes.data[l];
    omen_lid lock = r->map[OMEN_OPERAND_LOCK][l];
    if (home.thread != OMEN_NONE)
      home.thread = r->map[OMEN_OPERAND_THREAD][home.thread];
    if (home.thread != OMEN_NONE && lock != OMEN_NONE)
      omen_trace_home (r->new, lock, home);
  }
}

static void
copy_rest (renumbering *r)
{
  omen_trace *old = r->old, *new = r->new;
  copy_homes (r);
  for (omen_tid t = 0; t < old->threads.count; t++)
    if (r->map[OMEN_OPERAND_THREAD][t] != OMEN_NONE)
      new->threads.data[r->map[OMEN_OPERAND_THREAD][t]].path
          = new_string (r, old->threads.data[t].path);
  for (size_t i = 0; i < old->modules.count; i++) {
    omen_module module = old->modules.data[i];
    module.path = new_string (r, module.path);
    module.build_id = new_string (r, module.build_id);
    OMEN_VEC_PUSH (new->modules, module);
  }
  for (size_t i = 0; i < old->sources.count; i++) {
    omen_source_file source = old->sources.data[i];
    source.name = new_string (r, source.name);
    source.path = new_string (r, source.path);
    OMEN_VEC_PUSH (new->sources, source);
  }
  for (size_t i = 0; i < old->interrupts.count; i++) {
    omen_interrupt interrupt = old->interrupts.data[i];
    interrupt.thread = r->map[OMEN_OPERAND_THREAD][interrupt.thread];
    if (interrupt.thread != OMEN_NONE)
      OMEN_VEC_PUSH (new->interrupts, interrupt);
  }
  new->death = old->death;
  if (old->death.thread != OMEN_NONE)
    new->death.thread = r->map[OMEN_OPERAND_THREAD][old->death.thread];
  for (size_t i = 0; i < old->warnings.count; i++)
    OMEN_VEC_PUSH (new->warnings, new_string (r, old->warnings.data[i]));
  new->program = new_string (r, old->program);
  new->flags = old->flags;
  new->rebuilt = old->rebuilt;
  new->items = old->items; /* taken over */
  old->items = (omen_item_indices){ 0 };
}

static bool
in_first_use (const omen_trace *trace)
{
  omen_first_use use;
  omen_first_use_init (&use, trace);
  for (size_t e = 0; e < trace->events.count; e++)
    omen_first_use_event (&use, trace, &trace->events.data[e]);
  return !use.broken;
}

static void
start_renumbering (renumbering *r)
{
  r->new = omen_trace_new (omen_names_text (&r->old->strings, r->old->path));
  for (unsigned t = 0; t < OMEN_COUNT (r->map); t++) {
    size_t bytes = table_size (r->old, t) * sizeof (uint32_t);
    r->map[t] = omen_alloc (bytes);
    memset (r->map[t], 0xff, bytes);
  }
}

static void
finish_renumbering (renumbering *r)
{
  OMEN_CHECK (in_first_use (r->new));
  for (unsigned t = 0; t < OMEN_COUNT (r->map); t++)
    omen_free (r->map[t]);
}

omen_trace *
omen_trace_renumber_take (omen_trace *trace)
{
  renumbering r = { .old = trace };
  start_renumbering (&r);
  copy_inits (&r, NULL);
  OMEN_VEC_RESERVE (r.new->events, trace->events.count);
  for (size_t e = 0; e < trace->events.count; e++)
    copy_event (&r, &trace->events.data[e]);
  copy_extras (&r);
  copy_stacks (&r);
  copy_layouts (&r);
  copy_rest (&r);
  OMEN_ASSERT (r.new->events.count == trace->events.count);
  OMEN_ASSERT (r.new->places.count <= trace->places.count);
  finish_renumbering (&r);
  omen_trace_free (trace);
  return r.new;
}

/* ---- some of the events ---- */

static void
copy_mark (renumbering *r, const omen_copied *copied)
{
  const omen_event *old = &r->old->events.data[copied->event];
  char name[16];
  int length = snprintf (name, sizeof name, "%u", copied->object);
  omen_event new = { .kind = (uint8_t)copied->mark };
  new.thread = new_id (r, OMEN_OPERAND_THREAD, old->thread);
  new.object
      = omen_trace_name (r->new, OMEN_OPERAND_OBJECT, name, (size_t)length);
  new.location = new_id (r, OMEN_IDS_LOCATION, old->location);
  OMEN_VEC_PUSH (r->new->events, new);
}

/* By variable: one of the events to copy accesses it, or no event of the trace
   does (its init line is there because a property needs the value). */
static bool *
find_used (const omen_trace *trace, const omen_copied *events, size_t count)
{
  uint32_t variables = trace->names[OMEN_OPERAND_VARIABLE].count;
  bool *used = omen_alloc ((variables + 1) * sizeof *used);
  memset (used, true, variables * sizeof *used);
  for (size_t i = 0; i < trace->events.count; i++)
    if (omen_kind_class (trace->events.data[i].kind) == OMEN_CLASS_ACCESS)
      used[trace->places.data[trace->events.data[i].object].variable] = false;
  for (size_t i = 0; i < count; i++) {
    const omen_event *event = &trace->events.data[events[i].event];
    if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
      used[trace->places.data[event->object].variable] = true;
  }
  return used;
}

omen_trace *
omen_trace_copy_events (const omen_trace *trace, const omen_copied *events,
                        size_t count)
{
  renumbering r = { .old = (omen_trace *)trace }; /* it is only read */
  bool *used = find_used (trace, events, count);
  start_renumbering (&r);
  copy_inits (&r, used);
  for (size_t i = 0; i < count; i++)
    if (events[i].mark != OMEN_KINDS)
      copy_mark (&r, &events[i]);
    else {
      copy_event (&r, &trace->events.data[events[i].event]);
      OMEN_VEC_LAST (r.new->events).mode &= (uint8_t)~OMEN_MODE_EXTRA;
    }
  copy_layouts (&r);
  r.new->flags = trace->flags & ~(unsigned)OMEN_TRACE_DEPENDENCES;
  finish_renumbering (&r);
  omen_free (used);
  return r.new;
}
