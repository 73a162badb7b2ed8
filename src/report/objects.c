#include "report/objects.h"
#include "base/print.h"
#include "witness/lifetime.h"

#include <inttypes.h>
#include <string.h>

#define OBJECTS_MOST 8u

/* ---- which ---- */

/* Fill in `allocations`: by variable, the first alloc event. */
static void
find_allocations (omen_reporter *reporter)
{
  const omen_trace *trace = reporter->trace;
  uint32_t count = trace->names[OMEN_OPERAND_VARIABLE].count;
  if (reporter->allocations)
    return;
  reporter->allocations = omen_alloc ((count + 1) * sizeof (omen_eid));
  memset (reporter->allocations, 0xff, (count + 1) * sizeof (omen_eid));
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = omen_trace_event (trace, e);
    if (event->kind == OMEN_ALLOC) {
      omen_vid v = trace->places.data[event->object].variable;
      if (reporter->allocations[v] == OMEN_NONE)
        reporter->allocations[v] = e;
    }
  }
}

static void
add_object (omen_reporter *reporter, omen_reported_object object)
{
  for (size_t i = 0; i < reporter->objects.count; i++)
    if (reporter->objects.data[i].is_lock == object.is_lock
        && reporter->objects.data[i].id == object.id)
      return;
  if (reporter->objects.count < OBJECTS_MOST)
    OMEN_VEC_PUSH (reporter->objects, object);
}

static void
add_memory (omen_reporter *reporter, omen_eid e)
{
  const omen_trace *trace = reporter->trace;
  const omen_event *event = omen_trace_event (trace, e), *made;
  omen_operand operand = omen_kind_operand (event->kind);
  omen_vid v;
  omen_eid by;
  if (operand != OMEN_OPERAND_PLACE && operand != OMEN_OPERAND_VARIABLE)
    return;
  v = trace->places.data[event->object].variable;
  by = reporter->allocations[v];
  if (by == OMEN_NONE)
    return;
  made = omen_trace_event (trace, by);
  add_object (reporter,
              (omen_reported_object){
                  .id = v,
                  .allocated_by = by,
                  .home = { made->thread, OMEN_NONE, made->value, 0 } });
}

static void
add_lock (omen_reporter *reporter, omen_lid lock)
{
  const omen_trace *trace = reporter->trace;
  if (lock < trace->homes.count && trace->homes.data[lock].thread != OMEN_NONE)
    add_object (reporter,
                (omen_reported_object){ .is_lock = true,
                                        .id = lock,
                                        .allocated_by = OMEN_NONE,
                                        .home = trace->homes.data[lock] });
}

void
omen_reporter_objects (omen_reporter *reporter, const omen_finding *finding)
{
  const omen_trace *trace = reporter->trace;
  OMEN_VEC_CLEAR (reporter->objects);
  find_allocations (reporter);
  omen_reporter_events (reporter, finding);
  for (size_t i = 0; i < reporter->events.count; i++)
    add_memory (reporter, reporter->events.data[i]);
  for (size_t i = 0; i < reporter->events.count; i++) {
    omen_eid e = reporter->events.data[i];
    add_lock (reporter, omen_reporter_wanted (trace, e));
    omen_reporter_locks (reporter, e);
    for (size_t k = 0; k < reporter->locks.count; k++)
      add_lock (reporter, reporter->locks.data[k]);
  }
}

/* ---- in words ---- */

const char *
omen_object_name (const omen_reporter *reporter,
                  const omen_reported_object *object)
{
  const omen_trace *trace = reporter->trace;
  return object->is_lock
             ? omen_names_text (&trace->names[OMEN_OPERAND_LOCK], object->id)
             : omen_trace_variable_name (trace, object->id);
}

/* Derived from the names in recordings (doc/recording.md). */
const char *
omen_object_kind (const omen_reporter *reporter,
                  const omen_reported_object *object)
{
  const char *name = omen_object_name (reporter, object);
  if (object->is_lock || !strncmp (name, "malloc", 6))
    return "heap";
  if (!strncmp (name, "mmap", 4))
    return "mapping";
  if (object->allocated_by != OMEN_NONE
      && omen_lifetime_descriptor (reporter->trace, object->allocated_by)
             != OMEN_NONE)
    return "descriptor";
  return strchr (name, '@') ? "local" : "block";
}

void
omen_object_stack (omen_reporter *reporter, const omen_reported_object *object)
{
  if (object->allocated_by == OMEN_NONE)
    omen_reporter_push_stack (reporter, object->home.stack);
  else
    omen_reporter_stack (reporter, object->allocated_by);
}

const char *
omen_object_location (omen_reporter *reporter,
                      const omen_reported_object *object)
{
  const omen_trace *trace = reporter->trace;
  if (object->allocated_by != OMEN_NONE)
    return omen_trace_location (trace, object->allocated_by);
  omen_object_stack (reporter, object);
  return reporter->stack.count && reporter->stack.data[0].location != OMEN_NONE
             ? omen_names_text (&trace->locations,
                                reporter->stack.data[0].location)
             : "";
}

void
omen_object_text (omen_reporter *reporter, const omen_reported_object *object,
                  FILE *out)
{
  const char *kind = omen_object_kind (reporter, object);
  const char *where = omen_object_location (reporter, object);
  bool local = !strcmp (kind, "local");
  if (!strcmp (kind, "descriptor")) {
    omen_print (out, "file descriptor, made by %s%s%s",
                omen_trace_thread_name (reporter->trace, object->home.thread),
                *where ? " at " : "", where);
    return;
  }
  uint32_t type
      = object->is_lock
            ? OMEN_NONE
            : omen_layouts_type_of (&reporter->trace->layouts, object->id);
  if (object->is_lock)
    omen_print (out, "at byte %" PRIu64 " of a ", object->home.offset);
  omen_print (out, "%s of %" PRIu64 " byte%s%s%s%s, %s %s%s%s",
              local                     ? "local variable"
              : !strcmp (kind, "heap")  ? "heap block"
              : !strcmp (kind, "block") ? "block"
                                        : "mapping",
              object->home.size, omen_s (object->home.size),
              type == OMEN_NONE ? "" : " (",
              type == OMEN_NONE
                  ? ""
                  : omen_names_text (&reporter->trace->strings, type),
              type == OMEN_NONE ? "" : ")", local ? "made by" : "allocated by",
              omen_trace_thread_name (reporter->trace, object->home.thread),
              *where ? " at " : "", where);
}
