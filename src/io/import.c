#include "io/import.h"

void
omen_import_init (omen_import *import, const char *path, omen_err *err)
{
  memset (import, 0, sizeof *import);
  import->trace = omen_trace_new (path);
  import->path = path;
  import->err = err;
}

void
omen_import_fini (omen_import *import)
{
  for (size_t l = 0; l < import->holds.count; l++)
    OMEN_VEC_FINI (import->holds.data[l]);
  OMEN_VEC_FINI (import->holds);
  omen_trace_free (import->trace);
}

bool
omen_import_lines (omen_import *import, const char *text, size_t size,
                   bool (*read) (omen_import *import))
{
  const char *at = text, *end = text + size;
  if (size >= 3 && !memcmp (text, "\xef\xbb\xbf", 3))
    at += 3;
  while (at < end) {
    const char *newline = memchr (at, '\n', (size_t)(end - at));
    import->start = at;
    import->end = newline ? newline : end;
    import->line++;
    at = newline ? newline + 1 : end;
    if (import->end > import->start && import->end[-1] == '\r')
      import->end--;
    if (import->trace->events.count >= OMEN_NONE - 8)
      return omen_err_at (import->err, import->path, import->line,
                          "more than 2^32 events");
    if (!read (import))
      return false;
  }
  return true;
}

bool
omen_import_fail (omen_import *import, omen_field found, const char *expected)
{
  char text[200], where[sizeof import->err->where];
  OMEN_ASSERT (found.text >= import->start && found.text <= import->end);
  snprintf (where, sizeof where, "%.200s:%lu:%zu", import->path, import->line,
            (size_t)(found.text - import->start) + 1);
  if (!found.length)
    return omen_err_set (import->err, where, "expected %s, found nothing",
                         expected);
  /* At most 40 bytes of the field, made printable. */
  size_t used = 0;
  for (size_t i = 0; i < found.length && i < 40; i++) {
    unsigned char c = (unsigned char)found.text[i];
    used += (size_t)sprintf (text + used,
                             c < 0x20 || c == 0x7f ? "\\x%02x" : "%c", c);
  }
  strcpy (text + used, found.length > 40 ? "..." : "");
  return omen_err_set (import->err, where, "expected %s, found '%s'", expected,
                       text);
}

bool
omen_import_name (omen_import *import, omen_field name, const char *expected)
{
  if (!name.length)
    return omen_import_fail (import, name, expected);
  for (size_t i = 0; i < name.length; i++)
    if ((unsigned char)name.text[i] < 0x20)
      return omen_import_fail (import, (omen_field){ name.text + i, 1 },
                               "a name without control bytes");
  return true;
}

/* ---- locks ---- */

static omen_import_hold *
hold_of (omen_import *import, omen_lid lock, omen_tid thread)
{
  omen_import_holds *holds;
  while (import->holds.count <= lock)
    OMEN_VEC_PUSH (import->holds, ((omen_import_holds){ 0 }));
  holds = &import->holds.data[lock];
  for (size_t i = 0; i < holds->count; i++)
    if (holds->data[i].thread == thread)
      return &holds->data[i];
  OMEN_VEC_PUSH (*holds, ((omen_import_hold){ thread, 0 }));
  return &OMEN_VEC_LAST (*holds);
}

/* Is this acquire or release nested in another one of the same thread? A
   release of a lock that is not held is not: well-formedness is checked
   elsewhere. */
static bool
nested (omen_import *import, omen_kind kind, omen_lid lock, omen_tid thread)
{
  omen_import_hold *hold = hold_of (import, lock, thread);
  if (kind == OMEN_ACQUIRE) {
    bool again = hold->depth++ > 0;
    import->reentrant += again;
    return again;
  }
  return hold->depth && --hold->depth > 0;
}

/* ---- events ---- */

static uint32_t
object_of (omen_import *import, omen_operand operand, omen_field name)
{
  omen_trace *trace = import->trace;
  if (operand == OMEN_OPERAND_NOTHING)
    return OMEN_NONE;
  if (operand == OMEN_OPERAND_THREAD)
    return omen_trace_thread (trace, name.text, name.length);
  if (operand == OMEN_OPERAND_PLACE || operand == OMEN_OPERAND_VARIABLE)
    return omen_trace_place (
        trace,
        omen_trace_name (trace, OMEN_OPERAND_VARIABLE, name.text, name.length),
        0, OMEN_WHOLE);
  return omen_trace_name (trace, operand, name.text, name.length);
}

omen_event *
omen_import_add (omen_import *import, omen_kind kind, omen_tid thread,
                 omen_field operand, omen_field location)
{
  omen_trace *trace = import->trace;
  omen_event event;
  omen_eid e;
  memset (&event, 0, sizeof event);
  OMEN_REQUIRE (thread < trace->threads.count);
  event.kind = (uint8_t)kind;
  event.thread = thread;
  if (omen_kind_operand (kind) == OMEN_OPERAND_CONDITION)
    event.value = OMEN_NONE; /* no lock */
  event.object = object_of (import, omen_kind_operand (kind), operand);
  if ((kind == OMEN_ACQUIRE || kind == OMEN_RELEASE)
      && nested (import, kind, event.object, thread))
    return NULL;
  event.location
      = omen_names_id (&trace->locations, location.text, location.length);
  e = omen_trace_add (trace, &event); /* may move the events */
  return &trace->events.data[e];
}

omen_trace *
omen_import_finish (omen_import *import)
{
  omen_trace *trace = import->trace;
  if (import->reentrant)
    omen_trace_warn (trace, "%zu re-entrant acquire%s dropped",
                     import->reentrant, omen_s (import->reentrant));
  if (!omen_trace_seal (trace, import->err))
    return NULL;
  import->trace = NULL;
  return trace;
}
