#include "shrink.h"
#include "trace/text.h"
#include "io/text_read.h"
#include "trace/wellformed.h"

#include <stdlib.h>
#include <string.h>

/* A trace as lines that can be left out or changed. */
typedef struct line {
  const char *thread, *operation, *location; /* in the draft's text */
  omen_tid tid;
  uint64_t object; /* operand table and number */
  uint64_t reads;  /* dependences, as lines */
  int branch;
  bool gone;
} line;

typedef struct draft {
  char *text; /* cut into the strings above */
  size_t count;
  line lines[64];
  size_t init_count;
  const char *inits[64];
  bool no_values, no_orders, no_places;
} draft;

typedef struct shrinker {
  draft now;
  oracle_fails *fails;
  void *context;
  omen_trace *best;
} shrinker;

/* ---- reading ---- */
static char *
whole_text (const omen_trace *trace)
{
  char *text = NULL;
  size_t size;
  omen_err err = { 0 };
  FILE *out = open_memstream (&text, &size);
  OMEN_REQUIRE (out && omen_text_write (trace, out, &err));
  fclose (out);
  return text;
}

static void
read_dependences (const omen_trace *trace, omen_eid e, line *l)
{
  const omen_extra *extra = omen_trace_extra (trace, e);
  omen_tid t = trace->events.data[e].thread;
  l->branch = -1;
  if (!extra)
    return;
  for (uint32_t i = 0; i < extra->reads; i++)
    l->reads |= 1ull << omen_trace_nth (
                    trace, t, trace->dependences.data[extra->first_read + i]);
  if (extra->branch != OMEN_NONE)
    l->branch = (int)omen_trace_nth (trace, t, extra->branch);
}

/* Cut "thread|operation|location<-0^1" at its bars; the writer escapes bars in
   names. */
static void
read_line (draft *d, const omen_trace *trace, char *text)
{
  omen_eid e = (omen_eid)d->count;
  line *l = &d->lines[d->count++];
  const omen_event *event = omen_trace_event (trace, e);
  char *bar = strchr (text, '|'), *second = strchr (bar + 1, '|');
  *bar = 0;
  *second = 0;
  l->thread = text;
  l->operation = bar + 1;
  l->location = omen_trace_location (trace, e);
  l->tid = event->thread;
  l->object = (uint64_t)omen_kind_operand (event->kind) << 32 | event->object;
  read_dependences (trace, e, l);
}

static void
draft_read (draft *d, const omen_trace *trace)
{
  char *save = NULL;
  OMEN_REQUIRE (trace->events.count <= OMEN_COUNT (d->lines));
  memset (d, 0, sizeof *d);
  d->text = whole_text (trace);
  for (char *p = strtok_r (d->text, "\n", &save); p;
       p = strtok_r (NULL, "\n", &save)) {
    if (p[0] == '#')
      continue;
    if (p[0] != '*')
      read_line (d, trace, p);
    else if (d->init_count < OMEN_COUNT (d->inits))
      d->inits[d->init_count++] = p;
  }
  OMEN_ASSERT (d->count == trace->events.count);
}

/* ---- writing ---- */
/* The operation without its value ("=…") or its order (".rlx"). */
static void
write_operation (const draft *d, const char *operation, FILE *out)
{
  const char *open = strchr (operation, '('), *dot = strchr (operation, '.');
  const char *equals = strchr (operation, '=');
  bool emits = !strncmp (operation, "emit(", 5);
  if (d->no_orders && dot && dot < open)
    fprintf (out, "%.*s", (int)(dot - operation), operation);
  else
    fprintf (out, "%.*s", (int)(open - operation), operation);
  if (d->no_values && equals && !emits)
    fprintf (out, "%.*s)", (int)(equals - open), open);
  else
    fputs (open, out);
}

/* The index in its thread that line i has among those left. */
static unsigned
new_index (const draft *d, size_t i)
{
  unsigned index = 0;
  for (size_t k = 0; k < i; k++)
    index += !d->lines[k].gone && d->lines[k].tid == d->lines[i].tid;
  return index;
}

static void
write_line (const draft *d, size_t i, FILE *out)
{
  const line *l = &d->lines[i];
  bool first = true;
  fprintf (out, "%s|", l->thread);
  write_operation (d, l->operation, out);
  fprintf (out, "|%s", d->no_places ? "" : l->location);
  for (size_t k = 0; k < d->count; k++)
    if (l->reads >> k & 1 && !d->lines[k].gone) {
      fprintf (out, "%s%u", first ? "<-" : ",", new_index (d, k));
      first = false;
    }
  if (l->branch >= 0 && !d->lines[l->branch].gone)
    fprintf (out, "^%u", new_index (d, (size_t)l->branch));
  fputc ('\n', out);
}

/* The trace of the draft, or NULL if it is none. */
static omen_trace *
draft_trace (const draft *d)
{
  char *text = NULL;
  size_t size;
  omen_err err = { 0 };
  omen_trace *trace;
  FILE *out = open_memstream (&text, &size);
  OMEN_REQUIRE (out);
  for (size_t i = 0; i < d->init_count; i++)
    if (d->inits[i])
      fprintf (out, "%s\n", d->inits[i]);
  for (size_t i = 0; i < d->count; i++)
    if (!d->lines[i].gone)
      write_line (d, i, out);
  fclose (out);
  trace = omen_text_parse ("shrunk", text, size, &err);
  free (text);
  if (trace && !omen_wellformed (trace, NULL, &err)) {
    omen_trace_free (trace);
    trace = NULL;
  }
  return trace;
}

/* ---- one attempt ---- */
/* Adopt the draft if it still fails. */
static bool
attempt (shrinker *s, const draft *d)
{
  omen_trace *trace = draft_trace (d);
  if (!trace)
    return false;
  if (!s->fails (trace, s->context)) {
    omen_trace_free (trace);
    return false;
  }
  omen_trace_free (s->best);
  s->best = trace;
  s->now = *d;
  return true;
}

static bool
without_thread (shrinker *s, omen_tid t)
{
  draft d = s->now;
  bool any = false;
  for (size_t i = 0; i < d.count; i++) {
    line *l = &d.lines[i];
    if (l->gone
        || (l->tid != t
            && l->object != ((uint64_t)OMEN_OPERAND_THREAD << 32 | t)))
      continue;
    l->gone = any = true;
  }
  return any && attempt (s, &d);
}

static bool
without_object (shrinker *s, size_t of)
{
  draft d = s->now;
  if (d.lines[of].gone)
    return false;
  for (size_t i = 0; i < d.count; i++)
    d.lines[i].gone |= d.lines[i].object == d.lines[of].object;
  return attempt (s, &d);
}

/* `count` lines from i on that are still there. */
static bool
without_run (shrinker *s, size_t i, size_t count)
{
  draft d = s->now;
  size_t left = count;
  for (; i < d.count && left; i++)
    if (!d.lines[i].gone) {
      d.lines[i].gone = true;
      left--;
    }
  return !left && attempt (s, &d);
}

static bool
without_pair (shrinker *s, size_t i, size_t k)
{
  draft d = s->now;
  if (d.lines[i].gone || d.lines[k].gone)
    return false;
  d.lines[i].gone = d.lines[k].gone = true;
  return attempt (s, &d);
}

/* ---- all of them ---- */
static bool
fewer_events (shrinker *s)
{
  size_t count = s->now.count;
  bool any = false;
  for (size_t i = 0; i < count; i++)
    any |= without_thread (s, s->now.lines[i].tid);
  for (size_t i = 0; i < count; i++)
    any |= without_object (s, i);
  for (size_t run = count / 2; run; run /= 2)
    for (size_t i = 0; i < count; i++)
      any |= without_run (s, i, run);
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count; k++)
      any |= without_pair (s, i, k);
  return any;
}

static void
less_said (shrinker *s)
{
  draft d;
  for (size_t i = 0; i < s->now.init_count; i++) {
    d = s->now;
    d.inits[i] = NULL;
    attempt (s, &d);
  }
  for (size_t i = 0; i < s->now.count; i++) {
    d = s->now;
    d.lines[i].reads = 0;
    d.lines[i].branch = -1;
    if (!d.lines[i].gone)
      attempt (s, &d);
  }
  d = s->now;
  d.no_values = true;
  attempt (s, &d);
  d = s->now;
  d.no_orders = true;
  attempt (s, &d);
  d = s->now;
  d.no_places = true;
  attempt (s, &d);
}

/* ---- short names ---- */
static void
short_name (unsigned table, uint32_t i, char buffer[16])
{
  static const char *const letters[OMEN_OPERANDS] = {
    [OMEN_OPERAND_VARIABLE] = "xyzuvw", [OMEN_OPERAND_LOCK] = "lmnopq",
    [OMEN_OPERAND_CONDITION] = "cd",    [OMEN_OPERAND_SEMAPHORE] = "s",
    [OMEN_OPERAND_BARRIER] = "b",       [OMEN_OPERAND_OBJECT] = "o",
    [OMEN_OPERAND_BLOCK] = "ABC",       [OMEN_OPERAND_FUNCTION] = "fgh",
    [OMEN_OPERAND_SIGNAL] = "e",
  };
  const char *all = letters[table];
  if (!all)
    snprintf (buffer, 16, "T%u", i + 1);
  else if (i < strlen (all))
    snprintf (buffer, 16, "%c", all[i]);
  else
    snprintf (buffer, 16, "%c%u", all[0], i);
}

/* The same ids with other names; blocks that share a name still do. */
static void
rename_table (const omen_trace *from, omen_trace *to, unsigned table)
{
  const omen_names *old = &from->names[table];
  for (uint32_t i = 0; i < old->count; i++) {
    char name[16];
    uint32_t same = 0;
    while (strcmp (old->names[same].text, old->names[i].text))
      same++;
    short_name (table, same, name);
    if (table == OMEN_OPERAND_THREAD)
      omen_trace_thread (to, name, strlen (name));
    else
      omen_names_again (&to->names[table], name, strlen (name));
  }
}

#define COPY(vec)                                                              \
  for (size_t i_ = 0; i_ < from->vec.count; i_++)                              \
  OMEN_VEC_PUSH (to->vec, from->vec.data[i_])

static void
copy_names (const omen_names *from, omen_names *to)
{
  for (uint32_t i = to->count; i < from->count; i++)
    omen_names_again (to, from->names[i].text, from->names[i].length);
}

static omen_trace *
renamed (const omen_trace *from)
{
  omen_trace *to = omen_trace_new ("shrunk");
  omen_err err = { 0 };
  for (unsigned table = 0; table < OMEN_OPERANDS; table++)
    rename_table (from, to, table);
  copy_names (&from->locations, &to->locations);
  copy_names (&from->symbols, &to->symbols);
  copy_names (&from->strings, &to->strings);
  for (size_t i = 0; i < from->places.count; i++)
    omen_trace_place (to, from->places.data[i].variable,
                      from->places.data[i].offset, from->places.data[i].size);
  COPY (events);
  COPY (inits);
  COPY (rmws);
  COPY (emits);
  COPY (emit_args);
  COPY (extras);
  COPY (dependences);
  to->flags = from->flags;
  OMEN_ASSERT (omen_trace_seal (to, &err));
  return to;
}

static void
shorter_names (shrinker *s)
{
  omen_trace *trace = renamed (s->best);
  if (!s->fails (trace, s->context)) {
    omen_trace_free (trace);
    return;
  }
  omen_trace_free (s->best);
  s->best = trace;
}

omen_trace *
oracle_shrink (const omen_trace *trace, oracle_fails *fails, void *context)
{
  shrinker s = { .fails = fails, .context = context };
  OMEN_REQUIRE (fails (trace, context));
  draft_read (&s.now, trace);
  s.best = draft_trace (&s.now);
  OMEN_REQUIRE (s.best);
  while (fewer_events (&s))
    continue;
  less_said (&s);
  while (fewer_events (&s))
    continue;
  shorter_names (&s);
  free (s.now.text);
  return s.best;
}

bool
oracle_keep (const omen_trace *trace, const char *folder, const char *name,
             const char *note, omen_err *err)
{
  char path[512];
  FILE *out;
  bool good;
  snprintf (path, sizeof path, "%s/%s.t", folder, name);
  out = fopen (path, "w");
  if (!out)
    return omen_err_set (err, path, "cannot be written");
  fprintf (out, "# %s\n", note);
  good = omen_text_write (trace, out, err);
  return !fclose (out) && good;
}
