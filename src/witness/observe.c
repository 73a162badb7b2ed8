#include "witness/observe_state.h"

#include <stdio.h>
#include <string.h>

/* ---- which events of a trace a pointcut picks ---- */

/* What a trace event is to a kind of pointcut: its object, in which table, and
   its value. */
typedef struct match {
  omen_operand table; /* VARIABLE: object is a variable */
  uint32_t object;
  omen_pid place;  /* of an access */
  uint32_t inside; /* of an access: the byte of the variable where its target
                      begins */
  uint8_t value_kind;
  uint64_t value;
} match;

bool
omen_is_access_to (omen_cut_kind cut, unsigned kind)
{
  return (cut == OMEN_CUT_GET ? omen_kind_reads (kind)
                              : omen_kind_writes (kind))
         && kind != OMEN_ALLOC && kind != OMEN_FREE && kind != OMEN_EXTERNAL;
}

static bool
sees_access (const omen_observer *o, omen_cut_kind kind,
             const omen_event *event, match *s)
{
  bool get = kind == OMEN_CUT_GET;
  if (!omen_is_access_to (kind, event->kind))
    return false;
  *s = (match){
    OMEN_OPERAND_VARIABLE, o->trace->places.data[event->object].variable,
    event->object,         0,
    event->value_kind,     event->value
  };
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &o->trace->rmws.data[event->value];
    s->value_kind = rmw->value_kind[!get];
    s->value = rmw->value[!get];
  }
  return true;
}

/* A wait releases its lock, a wake acquires it again. */
static bool
sees_lock (omen_cut_kind kind, const omen_event *event, match *s)
{
  bool acquire = kind == OMEN_CUT_ACQUIRE;
  *s = (match){ .table = OMEN_OPERAND_LOCK, .object = event->object };
  if (event->kind == (acquire ? OMEN_WAKE : OMEN_WAIT)) {
    s->object = (uint32_t)event->value;
    return s->object != OMEN_NONE;
  }
  return acquire
             ? event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE
             : event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE;
}

static bool
sees_block (const omen_observer *o, unsigned wanted, const omen_event *event,
            match *s)
{
  if (event->kind != wanted)
    return false;
  *s = (match){ .table = OMEN_OPERAND_VARIABLE,
                .object = o->trace->places.data[event->object].variable };
  return true;
}

static bool
sees_kind (unsigned wanted, const omen_event *event, match *s)
{
  *s = (match){ .table = omen_kind_operand (event->kind),
                .object = event->object };
  return event->kind == wanted
         || (wanted == OMEN_NOTIFY && event->kind == OMEN_NOTIFY_ALL);
}

static bool
cut_sees (const omen_observer *o, const omen_cut *cut, const omen_event *event,
          match *s)
{
  switch (cut->kind) {
  case OMEN_CUT_CALL:
  case OMEN_CUT_EXECUTION:
    return sees_kind (cut->after ? OMEN_EXIT : OMEN_ENTER, event, s);
  case OMEN_CUT_GET:
  case OMEN_CUT_SET:
    return sees_access (o, cut->kind, event, s);
  case OMEN_CUT_ACQUIRE:
  case OMEN_CUT_RELEASE:
    return sees_lock (cut->kind, event, s);
  case OMEN_CUT_FORK:
    return sees_kind (OMEN_FORK, event, s);
  case OMEN_CUT_JOIN:
    return sees_kind (OMEN_JOIN, event, s);
  case OMEN_CUT_WAIT:
    return sees_kind (OMEN_WAIT, event, s);
  case OMEN_CUT_WAKE:
    return sees_kind (OMEN_WAKE, event, s);
  case OMEN_CUT_NOTIFY:
    return sees_kind (OMEN_NOTIFY, event, s);
  case OMEN_CUT_BEGIN:
    return sees_kind (OMEN_BEGIN, event, s);
  case OMEN_CUT_END:
    return sees_kind (OMEN_END, event, s);
  case OMEN_CUT_ALLOC:
    return sees_block (o, OMEN_ALLOC, event, s);
  case OMEN_CUT_FREE:
    return sees_block (o, OMEN_FREE, event, s);
  default:
    OMEN_ASSERT (cut->kind == OMEN_CUT_KINDS);
    return false;
  }
}

/* ---- what it binds there ---- */

static uint64_t
object_text (omen_observer *o, const match *s)
{
  return s->table == OMEN_OPERAND_VARIABLE
             ? omen_text_inside (o, s->object, s->inside)
             : omen_text_name (o, s->table, s->object);
}

/* The name's value at this event; false: it binds no such name. */
static bool
bound (omen_observer *o, const omen_cut *cut, const omen_event *event,
       const match *s, const char *name, uint64_t *text, omen_datum *datum)
{
  bool object = omen_cut_takes (cut->kind) == OMEN_CUT_OBJECT;
  bool access = omen_cut_takes (cut->kind) == OMEN_CUT_VARIABLE;
  bool argument = cut->arg_count == 1 && cut->args[0].kind == OMEN_ARG_NAME
                  && !strcmp (cut->args[0].name, name);
  if (access
      && (argument || (cut->returning && !strcmp (cut->returning, name)))) {
    *text = omen_text_value (o, s->value_kind, s->value);
    *datum = omen_datum_of (o, s->value_kind, s->value);
    return true;
  }
  if (cut->thread && !strcmp (cut->thread, name))
    *text = omen_text_name (o, OMEN_OPERAND_THREAD, event->thread);
  else if ((object && argument) || (cut->target && !strcmp (cut->target, name)))
    *text = object_text (o, s);
  else
    return false;
  *datum = (omen_datum){ OMEN_DATUM_TEXT, *text };
  return true;
}

/* Do traces have the values of all names that the pointcut binds? */
static bool
has_values (const omen_cut *cut)
{
  bool function = omen_cut_takes (cut->kind) == OMEN_CUT_FUNCTION;
  for (uint32_t i = 0; function && i < cut->arg_count; i++)
    if (cut->args[i].kind == OMEN_ARG_NAME
        || cut->args[i].kind == OMEN_ARG_TEXT)
      return false;
  return !(function && (cut->returning || cut->target));
}

static bool
names_it (const omen_cut *cut, const char *name)
{
  for (uint32_t i = 0; i < cut->arg_count; i++)
    if (cut->args[i].kind == OMEN_ARG_NAME && !strcmp (cut->args[i].name, name))
      return true;
  return (cut->returning && !strcmp (cut->returning, name))
         || (cut->thread && !strcmp (cut->thread, name))
         || (cut->target && !strcmp (cut->target, name));
}

static bool
has_condition_values (const omen_cut *cut)
{
  const omen_condition *c = cut->condition;
  if (!c)
    return true;
  for (uint32_t i = 0; c->code && i < c->name_count; i++)
    if (!names_it (cut, c->names[i]))
      return false;
  return c->code != NULL;
}

static bool
condition_holds (omen_observer *o, const omen_cut *cut, const omen_event *event,
                 const match *s)
{
  const omen_condition *c = cut->condition;
  omen_datum *values;
  uint64_t text;
  bool holds;
  if (!c)
    return true;
  values = omen_zalloc (c->name_count + 1, sizeof *values);
  for (uint32_t i = 0; i < c->name_count; i++)
    bound (o, cut, event, s, c->names[i], &text, &values[i]);
  holds = omen_condition_holds (c, values);
  omen_free (values);
  return holds;
}

/* A quoted argument is the name of the object, or the text of the value. */
static bool
text_fits (omen_observer *o, const omen_cut *cut, const match *s)
{
  bool access = omen_cut_takes (cut->kind) == OMEN_CUT_VARIABLE;
  uint64_t text;
  if (cut->arg_count != 1 || cut->args[0].kind != OMEN_ARG_TEXT)
    return true;
  text = access ? omen_text_value (o, s->value_kind, s->value)
                : object_text (o, s);
  return !strcmp (omen_observer_text (o, text), cut->args[0].name);
}

/* ---- entries ---- */

static uint8_t *
functions_fitting (const omen_trace *trace, const omen_cut *cut)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_FUNCTION];
  uint8_t *fits = omen_zalloc (names->count + 1, 1);
  for (uint32_t i = 0; i < names->count; i++)
    fits[i] = omen_pattern_fits (cut->pattern, names->names[i].text);
  return fits;
}

static omen_observer_cut
eye_of (omen_observer *o, uint32_t event, const omen_cut *cut)
{
  omen_observer_cut entry = { cut, event, NULL, NULL, 0, OMEN_CUT_NOTHING };
  omen_cut_operand operand = omen_cut_takes (cut->kind);
  if (o->served[event]) {
    entry.fate = OMEN_CUT_EMITTED;
    if (operand == OMEN_CUT_VARIABLE)
      entry.places = omen_places_fitting (o, cut->pattern);
  } else if (!has_values (cut))
    entry.fate = OMEN_CUT_NO_VALUES;
  else if (!has_condition_values (cut))
    entry.fate = OMEN_CUT_NO_CONDITION;
  else if (operand == OMEN_CUT_FUNCTION)
    entry.fits = functions_fitting (o->trace, cut);
  else if (operand == OMEN_CUT_VARIABLE)
    entry.places = omen_places_fitting (o, cut->pattern);
  OMEN_ASSERT (operand == OMEN_CUT_OBJECT || cut->pattern);
  return entry;
}

static uint32_t
event_emitted_as (const omen_property *p, const char *name)
{
  size_t length = strlen (p->name);
  if (!strncmp (name, p->name, length) && name[length] == '.')
    name += length + 1;
  for (uint32_t e = 0; e < p->events; e++)
    if (!strcmp (p->event[e].name, name))
      return e;
  return OMEN_NONE;
}

omen_observer *
omen_observer_new (const omen_trace *trace, const omen_property *property)
{
  omen_observer *o = omen_zalloc (1, sizeof *o);
  o->trace = trace;
  o->property = property;
  omen_names_init (&o->texts);
  omen_map_init (&o->integers);
  omen_map_init (&o->symbols);
  omen_ordinals_init (o);
  const omen_names *names = &o->trace->names[OMEN_OPERAND_SIGNAL];
  o->emitted = omen_zalloc (names->count + 1, sizeof *o->emitted);
  o->dead_signal = omen_names_find (names, "omen_dead", 9);
  for (uint32_t i = 0; i < names->count; i++) {
    o->emitted[i] = event_emitted_as (o->property, names->names[i].text);
    if (o->emitted[i] != OMEN_NONE)
      o->served[o->emitted[i]] = true;
  }
  for (uint32_t e = 0; e < property->events; e++) {
    o->first[e] = (uint32_t)o->entries.count;
    for (uint32_t i = 0; i < property->event[e].cut_count; i++)
      OMEN_VEC_PUSH (o->entries, eye_of (o, e, &property->event[e].cuts[i]));
  }
  o->first[property->events] = (uint32_t)o->entries.count;
  omen_thread_names_find (o);
  omen_beside_find (o);
  omen_watched_find (o);
  return o;
}

void
omen_observer_free (omen_observer *o)
{
  if (!o)
    return;
  omen_watched_forget (o);
  for (size_t i = 0; i < o->entries.count; i++) {
    omen_free (o->entries.data[i].fits);
    omen_free (o->entries.data[i].places);
  }
  OMEN_VEC_FINI (o->entries);
  OMEN_VEC_FINI (o->parts);
  OMEN_VEC_FINI (o->thread_names);
  omen_free (o->emitted);
  omen_free (o->ordinals);
  omen_map_fini (&o->integers);
  omen_map_fini (&o->symbols);
  omen_names_fini (&o->texts);
  omen_free (o);
}

omen_cut_fate
omen_observer_fate (const omen_observer *o, uint32_t event, uint32_t cut)
{
  const omen_observer_cut *entry = &o->entries.data[o->first[event] + cut];
  OMEN_REQUIRE (o->first[event] + cut < o->first[event + 1]);
  return entry->fate == OMEN_CUT_NOTHING && entry->seen ? OMEN_CUT_SEEN
                                                        : entry->fate;
}

bool
omen_observer_emitted (const omen_observer *o, uint32_t event)
{
  return o->served[event];
}

/* ---- looking ---- */

static void
bind_thread (omen_observer *o, const omen_event *event, omen_occurrence *out)
{
  out->thread = event->thread;
  if (o->property->modifiers & OMEN_PER_THREAD)
    out->values[o->property->parameters - 1]
        = omen_text_name (o, OMEN_OPERAND_THREAD, event->thread);
}

/* The target of a pointcut that ends in a name is the object that has that
   field or element; of one that ends in `*`, the scalar accessed. */
static uint32_t
target_of (const omen_observer *o, const omen_cut *cut, uint32_t fit,
           const omen_place *place)
{
  return omen_pattern_is_open (cut->pattern) ? place->offset
                                             : omen_part_owner (o, fit, place);
}

/* Match by name. The value becomes that of the part that the name denotes. */
static bool
name_fits (const omen_observer *o, const omen_observer_cut *entry, match *s)
{
  uint32_t fit;
  if (!entry->places)
    return !entry->fits || entry->fits[s->object];
  fit = entry->places[s->place];
  if (fit == OMEN_FITS_NOT)
    return false;
  s->inside = target_of (o, entry->cut, fit, &o->trace->places.data[s->place]);
  omen_part_value (o, fit, &o->trace->places.data[s->place], &s->value_kind,
                   &s->value);
  return true;
}

static bool
needs_value (const omen_cut *cut)
{
  return cut->arg_count || cut->returning || cut->condition;
}

bool
omen_observer_needs_value (const omen_observer *o, omen_eid e)
{
  const omen_event *event = omen_trace_event (o->trace, e);
  for (size_t i = 0; i < o->entries.count; i++) {
    const omen_observer_cut *entry = &o->entries.data[i];
    if (omen_cut_takes (entry->cut->kind) == OMEN_CUT_VARIABLE
        && needs_value (entry->cut)
        && omen_is_access_to (entry->cut->kind, event->kind)
        && (!entry->places || entry->places[event->object] != OMEN_FITS_NOT
            || omen_pattern_is_typed (entry->cut->pattern)))
      return true;
  }
  return false;
}

static bool
look_at_event (omen_observer *o, omen_observer_cut *entry,
               const omen_event *event, omen_occurrence *out)
{
  const omen_property *p = o->property;
  uint32_t binds = p->event[entry->event].binds;
  omen_datum ignored;
  match s;
  if (entry->fate != OMEN_CUT_NOTHING
      || !omen_is_thread (o, entry->cut->only_thread, event->thread)
      || !cut_sees (o, entry->cut, event, &s) || !name_fits (o, entry, &s)
      || !text_fits (o, entry->cut, &s)
      || !condition_holds (o, entry->cut, event, &s))
    return false;
  *out = (omen_occurrence){ .event = entry->event };
  bind_thread (o, event, out);
  for (uint32_t rest = binds; rest; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctz (rest);
    bool hidden = p->modifiers & OMEN_PER_THREAD && i == p->parameters - 1;
    if (!hidden
        && !bound (o, entry->cut, event, &s, p->parameter[i], &out->values[i],
                   &ignored))
      return false;
  }
  entry->seen++;
  return true;
}

/* The values of emit(e,p=v,…); false: it lacks a parameter. */
static bool
look_at_emit (omen_observer *o, const omen_event *event, uint32_t e,
              omen_occurrence *out)
{
  const omen_property *p = o->property;
  const omen_emit *emit = &o->trace->emits.data[event->value];
  *out = (omen_occurrence){ .event = e };
  bind_thread (o, event, out);
  for (uint32_t rest = p->event[e].binds; rest; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctz (rest), j = 0;
    if (p->modifiers & OMEN_PER_THREAD && i == p->parameters - 1)
      continue;
    for (; j < emit->count; j++) {
      const omen_emit_arg *arg = &o->trace->emit_args.data[emit->first + j];
      if (strcmp (omen_names_text (&o->trace->strings, arg->key),
                  p->parameter[i]))
        continue;
      out->values[i] = omen_text_value (o, arg->value_kind, arg->value);
      break;
    }
    if (j == emit->count)
      return false;
  }
  return true;
}

/* A write that the program emits as an event of its own is no further step. */
static bool
is_emitted (const omen_observer *o, const omen_event *event)
{
  for (size_t i = 0; i < o->entries.count; i++) {
    const omen_observer_cut *entry = &o->entries.data[i];
    if (entry->fate == OMEN_CUT_EMITTED && entry->cut->kind == OMEN_CUT_SET
        && entry->places[event->object] != OMEN_FITS_NOT)
      return true;
  }
  return false;
}

/* Emitted events at e: those that report this access; or e itself, if it is an
   emit that reports no access. */
static uint32_t
look_at_emits (omen_observer *o, omen_eid e, omen_occurrence *out)
{
  const omen_event *event = omen_trace_event (o->trace, e);
  omen_eid emits[OMEN_EVENTS_MAX];
  uint32_t count = 0, emitted = 0;
  if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS)
    emitted = omen_beside_all (o, e, emits);
  else if (event->kind == OMEN_EMIT && o->emitted[event->object] != OMEN_NONE
           && omen_beside (o, e) == OMEN_NONE)
    emits[emitted++] = e;
  for (uint32_t i = 0; i < emitted; i++) {
    event = omen_trace_event (o->trace, emits[i]);
    count += look_at_emit (o, event, o->emitted[event->object], &out[count]);
  }
  return count;
}

uint32_t
omen_observe (omen_observer *o, omen_eid e, const omen_watched *watched,
              omen_occurrence out[OMEN_EVENTS_MAX])
{
  const omen_property *p = o->property;
  const omen_event *event = omen_trace_event (o->trace, e);
  uint32_t count = look_at_emits (o, e, out), predicates = 0, unknown = 0;
  for (uint32_t i = 0; i < p->events; i++)
    for (uint32_t j = o->first[i]; j < o->first[i + 1]; j++)
      if (look_at_event (o, &o->entries.data[j], event, &out[count])) {
        count++;
        break;
      }
  if (!count && p->predicates && omen_writes_watched (o, e)
      && !is_emitted (o, event)) {
    out[count] = (omen_occurrence){ .event = p->events - 1 };
    bind_thread (o, event, &out[count++]);
  }
  if (count && watched && p->predicates)
    predicates = omen_watched_holds (o, watched, &unknown);
  for (uint32_t i = 0; i < count; i++) {
    out[i].predicates = predicates;
    out[i].unknown = unknown;
  }
  return count;
}

static bool
never_blocks (const omen_event *event)
{
  return omen_kind_class (event->kind) != OMEN_CLASS_SYNC
         && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

bool
omen_observer_parallel (const omen_observer *o, omen_eid a, omen_eid b)
{
  const omen_event *x = omen_trace_event (o->trace, a);
  const omen_event *y = omen_trace_event (o->trace, b);
  return x->thread != y->thread && never_blocks (x) && never_blocks (y);
}

uint32_t
omen_observe_next (omen_observer *o, omen_walk *walk, omen_eid e,
                   const omen_watched *watched,
                   omen_occurrence out[OMEN_EVENTS_MAX])
{
  uint32_t count = omen_observe (o, e, watched, out);
  bool parallel;
  if (!o->property->beside)
    return count;
  parallel = walk->count && omen_observer_parallel (o, walk->last, e);
  memcpy (walk->before, walk->now, walk->count * sizeof *walk->now);
  memcpy (walk->now, out, count * sizeof *out);
  walk->befores = walk->count;
  walk->count = count;
  walk->last = e;
  for (uint32_t i = 0; parallel && i < count; i++) {
    walk->beside[i]
        = (omen_neighbours){ walk->before, walk->now, walk->befores, i };
    out[i].beside = &walk->beside[i];
  }
  return count;
}

uint32_t
omen_observe_dead (omen_observer *o, omen_eid e, uint64_t values[OMEN_DEAD_MAX])
{
  const omen_event *event = omen_trace_event (o->trace, e);
  uint32_t count = 0;
  if (event->kind == OMEN_FREE) {
    omen_vid v = o->trace->places.data[event->object].variable;
    values[count++] = omen_text_variable (o, v, true);
    values[count++] = omen_text_variable (o, v, false);
  } else if (event->kind == OMEN_EMIT && event->object == o->dead_signal) {
    const omen_emit *emit = &o->trace->emits.data[event->value];
    for (uint32_t i = 0; i < emit->count && count < OMEN_DEAD_MAX; i++) {
      const omen_emit_arg *arg = &o->trace->emit_args.data[emit->first + i];
      values[count++] = omen_text_value (o, arg->value_kind, arg->value);
    }
  }
  return count;
}
