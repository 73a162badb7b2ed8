#include "io/std_write.h"
#include "base/map.h"
#include "trace/atoms.h"
#include "trace/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

/* Assigns unique names to the entries of a table. */
typedef struct given {
  omen_names taken;
  omen_names bases; /* names before a number was added … */
  omen_ids next;    /* … and the next number to try */
  uint32_t *id;     /* by id in the table: id in taken */
} given;

typedef struct std {
  const omen_trace *trace;
  FILE *out;
  omen_std_report report;
  omen_atoms atoms;
  given variables, locks, blocks;      /* variables by atom */
  bool plain_threads, plain_locations; /* threads and locations already have the
                                          form that STD requires */
  uint32_t *inside;  /* by lock: threads that hold it, as written */
  omen_map left_out; /* (thread, lock) of read sections that were left out */
} std;

/* ---- what STD can say ---- */

/* What STD lacks to express the event; NULL if it can. */
static const char *
unsayable (const std *s, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_READ:
  case OMEN_WRITE:
    return s->atoms.place[event->object].count > 1 ? "byte ranges that overlap"
                                                   : NULL;
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_FORK:
  case OMEN_JOIN:
  case OMEN_BEGIN:
  case OMEN_END:
    return NULL;
  case OMEN_ATOMIC_READ:
  case OMEN_ATOMIC_WRITE:
  case OMEN_ATOMIC_RMW:
  case OMEN_FENCE:
    return "atomics";
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
  case OMEN_READ_TRY_FAIL:
    return "read-write locks";
  case OMEN_WAIT:
  case OMEN_WAKE:
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
    return "condition variables";
  case OMEN_SEM_INIT:
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
    return "semaphores";
  case OMEN_ARRIVE:
  case OMEN_DEPART:
    return "barriers";
  case OMEN_ALLOC:
  case OMEN_FREE:
    return "memory blocks";
  default:
    return "such events";
  }
}

static bool
all_sayable (const std *s, omen_err *err)
{
  const omen_trace *trace = s->trace;
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const char *what = unsayable (s, omen_trace_event (trace, e));
    char name[OMEN_EVENT_NAME_MAX], operation[200];
    const char *location = omen_trace_location (trace, e);
    if (!what)
      continue;
    omen_text_operation (trace, e, operation, sizeof operation);
    return omen_err_set (err, omen_names_text (&trace->strings, trace->path),
                         "event %u (%s %s%s%s): STD has no %s; --lossy leaves "
                         "out or replaces what it lacks",
                         e, omen_trace_event_name (trace, e, name), operation,
                         *location ? " at " : "", location, what);
  }
  return true;
}

/* ---- names ---- */

static bool
number_within_int (const char *text)
{
  size_t length = strlen (text);
  return length && length < 10 && strspn (text, "0123456789") == length;
}

static void
given_init (given *g, uint32_t count)
{
  omen_names_init (&g->taken);
  omen_names_init (&g->bases);
  g->id = omen_alloc (count * sizeof *g->id);
}

static void
given_fini (given *g)
{
  omen_names_fini (&g->taken);
  omen_names_fini (&g->bases);
  OMEN_VEC_FINI (g->next);
  omen_free (g->id);
}

/* Append the name with unsafe bytes replaced; true if there were none. */
static bool
make_safe (const omen_name *text, omen_line *line)
{
  bool kept = text->length > 0;
  for (uint32_t i = 0; i < text->length; i++) {
    unsigned char c = (unsigned char)text->text[i];
    bool safe = c && c < 0x80 && (isalnum (c) || strchr ("_.$@[]/:-", c));
    kept &= safe;
    OMEN_VEC_PUSH (*line, safe ? (char)c : '_');
  }
  if (!text->length)
    OMEN_VEC_PUSH (*line, '_');
  return kept;
}

/* A unique name from `text`, the offset (unless OMEN_NONE) and, if needed, a
   number. */
static uint32_t
new_name (std *s, given *g, const omen_name *text, uint32_t offset)
{
  uint32_t count = g->taken.count, base, id;
  omen_line line = { 0 };
  size_t kept;
  s->report.names |= !make_safe (text, &line);
  OMEN_VEC_RESERVE (line, line.count + 40);
  if (offset != OMEN_NONE)
    line.count += (size_t)sprintf (line.data + line.count, ".%u", offset);
  kept = line.count;
  base = omen_names_id (&g->bases, line.data, kept);
  if (base == g->next.count)
    OMEN_VEC_PUSH (g->next, 1);
  do {
    uint32_t number = g->next.data[base]++;
    size_t length = kept;
    if (number > 1)
      length += (size_t)sprintf (line.data + kept, "_%u", number);
    s->report.names |= number > 1;
    id = omen_names_id (&g->taken, line.data, length);
  } while (id < count);
  OMEN_VEC_FINI (line);
  return id;
}

static void
name_table (std *s, given *g, const omen_names *names)
{
  given_init (g, names->count);
  for (uint32_t i = 0; i < names->count; i++)
    g->id[i] = new_name (s, g, &names->names[i], OMEN_NONE);
}

static void
name_atoms (std *s)
{
  const omen_names *names = &s->trace->names[OMEN_OPERAND_VARIABLE];
  given_init (&s->variables, s->atoms.count);
  for (uint32_t a = 0; a < s->atoms.count; a++) {
    const omen_place *atom = &s->atoms.atoms[a];
    bool all = !atom->offset && atom->size == OMEN_WHOLE;
    s->variables.id[a]
        = new_name (s, &s->variables, &names->names[atom->variable],
                    all ? OMEN_NONE : atom->offset);
  }
}

static void
look_at_names (std *s)
{
  const omen_trace *trace = s->trace;
  s->plain_threads = s->plain_locations = true;
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    const char *name = omen_trace_thread_name (trace, t);
    s->plain_threads &= name[0] == 'T' && number_within_int (name + 1);
  }
  for (uint32_t l = 0; l < trace->locations.count; l++)
    s->plain_locations
        &= number_within_int (omen_names_text (&trace->locations, l));
  s->report.threads = !s->plain_threads;
  s->report.locations = !s->plain_locations;
}

/* ---- events ---- */

static void
put_thread (std *s, omen_tid t)
{
  if (s->plain_threads)
    fputs (omen_trace_thread_name (s->trace, t), s->out);
  else
    fprintf (s->out, "T%u", t);
}

static void
put_std (std *s, const omen_event *event, omen_kind kind, const char *name)
{
  put_thread (s, event->thread);
  fprintf (s->out, "|%s(", omen_kind_text (kind));
  if (name)
    fputs (name, s->out);
  else
    put_thread (s, event->object);
  if (s->plain_locations)
    fprintf (s->out, ")|%s\n",
             omen_names_text (&s->trace->locations, event->location));
  else
    fprintf (s->out, ")|%u\n", event->location);
}

static void
put_access (std *s, const omen_event *event, omen_kind kind)
{
  omen_span atoms = s->atoms.place[event->object];
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
    put_std (s, event, kind,
             omen_names_text (&s->variables.taken, s->variables.id[a]));
}

/* Write an acquire or release. A read section is left out if the lock is held,
   as STD has no readers. */
static bool
put_lock (std *s, const omen_event *event, omen_lid lock, bool take, bool read)
{
  uint64_t key = OMEN_PAIR (event->thread, lock);
  if (read && take && s->inside[lock]) {
    *omen_map_at (&s->left_out, key) = 1;
    return false;
  }
  if (read && !take && omen_map_get (&s->left_out, key) == 1) {
    *omen_map_at (&s->left_out, key) = 0;
    return false;
  }
  s->inside[lock] += take ? 1 : s->inside[lock] ? UINT32_MAX : 0;
  put_std (s, event, take ? OMEN_ACQUIRE : OMEN_RELEASE,
           omen_names_text (&s->locks.taken, s->locks.id[lock]));
  return true;
}

/* Write the nearest events that STD has; false if there are none. */
static bool
put_lowered (std *s, const omen_event *event)
{
  switch (event->kind) {
  case OMEN_READ:
  case OMEN_WRITE:
    put_access (s, event, event->kind);
    return true;
  case OMEN_ATOMIC_READ:
    put_access (s, event, OMEN_READ);
    return true;
  case OMEN_ATOMIC_RMW:
    put_access (s, event, OMEN_READ);
    put_access (s, event, OMEN_WRITE);
    return true;
  case OMEN_ATOMIC_WRITE:
  case OMEN_FREE:
    put_access (s, event, OMEN_WRITE);
    return true;
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
    return put_lock (s, event, event->object, event->kind == OMEN_READ_ACQUIRE,
                     true);
  case OMEN_WAIT:
  case OMEN_WAKE:
    return event->value != OMEN_NONE
           && put_lock (s, event, (omen_lid)event->value,
                        event->kind == OMEN_WAKE, false);
  default:
    return false;
  }
}

static bool
has_value (const omen_trace *trace, const omen_event *event)
{
  if (event->kind == OMEN_ATOMIC_RMW)
    return trace->rmws.data[event->value].value_kind[0]
           || trace->rmws.data[event->value].value_kind[1];
  return event->value_kind != OMEN_VALUE_NONE;
}

static void
put_event (std *s, const omen_event *event)
{
  s->report.values += has_value (s->trace, event);
  if (unsayable (s, event)) {
    if (put_lowered (s, event))
      s->report.lowered[event->kind]++;
    else
      s->report.dropped[event->kind]++;
    return;
  }
  switch (event->kind) {
  case OMEN_READ:
  case OMEN_WRITE:
    put_access (s, event, event->kind);
    break;
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
    put_lock (s, event, event->object, event->kind == OMEN_ACQUIRE, false);
    break;
  case OMEN_BEGIN:
  case OMEN_END:
    put_std (s, event, event->kind,
             omen_names_text (&s->blocks.taken, s->blocks.id[event->object]));
    break;
  default:
    OMEN_ASSERT (event->kind == OMEN_FORK || event->kind == OMEN_JOIN);
    put_std (s, event, event->kind, NULL);
  }
}

static void
put_all (std *s)
{
  const omen_trace *trace = s->trace;
  const omen_names *locks = &trace->names[OMEN_OPERAND_LOCK];
  look_at_names (s);
  name_atoms (s);
  name_table (s, &s->locks, locks);
  name_table (s, &s->blocks, &trace->names[OMEN_OPERAND_BLOCK]);
  s->inside = omen_zalloc (locks->count, sizeof *s->inside);
  omen_map_init (&s->left_out);
  for (omen_eid e = 0; e < trace->events.count; e++)
    put_event (s, omen_trace_event (trace, e));
  omen_map_fini (&s->left_out);
  omen_free (s->inside);
  given_fini (&s->variables);
  given_fini (&s->locks);
  given_fini (&s->blocks);
}

bool
omen_std_write (const omen_trace *trace, FILE *out,
                const omen_std_options *options, omen_err *err)
{
  std s = { .trace = trace, .out = out };
  bool ok;
  OMEN_REQUIRE (trace->index);
  omen_atoms_init (&s.atoms, trace);
  ok = options->lossy || all_sayable (&s, err);
  if (ok)
    put_all (&s);
  omen_atoms_fini (&s.atoms);
  if (options->report)
    *options->report = s.report;
  if (ok && (fflush (out) || ferror (out)))
    return omen_err_io (err, "", "cannot write the output: %s",
                        strerror (errno));
  return ok;
}

/* ---- lines of the report ---- */

static const char *
nearest (unsigned kind)
{
  switch (kind) {
  case OMEN_ATOMIC_READ:
    return "r";
  case OMEN_ATOMIC_RMW:
    return "r and w";
  case OMEN_ATOMIC_WRITE:
  case OMEN_FREE:
    return "w";
  case OMEN_READ_ACQUIRE:
  case OMEN_WAKE:
    return "acq";
  case OMEN_READ_RELEASE:
  case OMEN_WAIT:
    return "rel";
  default:
    return "one of each part";
  }
}

bool
omen_std_note (const omen_std_report *report, unsigned i, char *buffer,
               size_t room)
{
  const struct {
    bool holds;
    const char *text;
  } others[] = {
    { report->values, "values left out" },
    { report->threads, "threads renamed to T0, T1, ..." },
    { report->names, "some names changed" },
    { report->locations, "locations replaced by numbers" },
  };
  for (unsigned kind = 0; kind < OMEN_KINDS; kind++) {
    if (report->dropped[kind] && !i--) {
      snprintf (buffer, room, "%u %s left out", report->dropped[kind],
                omen_kind_text (kind));
      return true;
    }
    if (report->lowered[kind] && !i--) {
      snprintf (buffer, room, "%u %s written as %s", report->lowered[kind],
                omen_kind_text (kind), nearest (kind));
      return true;
    }
  }
  for (size_t k = 0; k < OMEN_COUNT (others); k++)
    if (others[k].holds && !i--) {
      snprintf (buffer, room, "%s", others[k].text);
      return true;
    }
  return false;
}
