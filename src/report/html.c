/* The page: page/ around one JSON object that page.js reads.

   The page never exceeds PAGE_MAX bytes, so that browsers, mail and CI servers
   accept it. Detail is reduced step by step until it fits: events at the
   beginning of schedules (shown as a gap), lines of source, pairs of accesses,
   finally findings. The page says so. */
#include "report/page.h"
#include "report/script.h"
#include "report/sources.h"
#include "report/words.h"
#include "trace/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inttypes.h>

#define PAGE_MAX 2000000u

/* Limits on the detail of a page. */
typedef struct detail {
  size_t steps;    /* last events of each schedule */
  size_t accesses; /* of a finding; first and last ones */
  size_t pairs;    /* of a finding */
  unsigned around; /* lines of source around a location */
  size_t findings;
} detail;

static const detail details[] = {
  { 120000, 2000, 10000, 6, SIZE_MAX },
  { 20000, 1000, 1000, 6, SIZE_MAX },
  { 4000, 200, 100, 6, SIZE_MAX },
  { 1000, 60, 30, 4, 1000 },
  { 300, 30, 10, 3, 400 },
  { 100, 16, 5, 2, 200 },
  { 30, 16, 3, 1, 100 },
  { 10, 10, 1, 0, 50 },
  { 10, 10, 1, 0, 20 },
  { 5, 6, 1, 0, 5 },
  { 1, 2, 0, 0, 1 },
  { 0, 0, 0, 0, 0 },
};

/* Names that the page uses, numbered by first use. */
typedef struct used {
  uint32_t *number; /* by id; OMEN_NONE: not used */
  omen_ids list;
} used;

typedef struct page {
  const omen_report *report;
  const detail *detail;
  const omen_report_run *run; /* the current one */
  const omen_trace *trace;    /* of it */
  omen_reporter *reporter;
  bool *chosen; /* by event: is on the page */
  used locations, places, locks;
  size_t written, findings; /* of all runs */
  bool cut;                 /* something was left out */
  FILE *out;
} page;

/* How many findings of this run are written. */
static size_t
room (const page *p)
{
  size_t left = p->detail->findings - p->written;
  return left < p->run->findings->count ? left : p->run->findings->count;
}

static void
choose_event (page *p, omen_eid e)
{
  OMEN_REQUIRE (e < p->trace->events.count);
  p->chosen[e] = true;
}

/* Is the i-th of `count` accesses written? */
static bool
is_shown (const page *p, size_t i, size_t count)
{
  size_t most = p->detail->accesses;
  return count <= most || i < most / 2 || i >= count - most / 2;
}

static void
choose_events (page *p)
{
  for (size_t i = 0; i < room (p); i++) {
    const omen_witness *w = &p->run->findings->data[i].witness;
    size_t most = p->detail->steps, count = w->sequence.count;
    for (size_t k = count > most ? count - most : 0; k < count; k++)
      choose_event (p, w->sequence.data[k]);
    p->cut |= count > most;
    omen_reporter_events (p->reporter, &p->run->findings->data[i]);
    count = p->reporter->events.count;
    for (size_t k = 0; k < count; k++)
      if (is_shown (p, k, count))
        choose_event (p, p->reporter->events.data[k]);
  }
}

/* ---- tables of names ---- */

static void
use_init (used *table, uint32_t count)
{
  *table = (used){ 0 };
  table->number = omen_alloc ((count + 1) * sizeof *table->number);
  memset (table->number, 0xff, (count + 1) * sizeof *table->number);
}

static void
use_fini (used *table)
{
  omen_free (table->number);
  OMEN_VEC_FINI (table->list);
}

static uint32_t
number_in (used *table, uint32_t id)
{
  if (table->number[id] == OMEN_NONE) {
    table->number[id] = (uint32_t)table->list.count;
    OMEN_VEC_PUSH (table->list, id);
  }
  return table->number[id];
}

static void
write_names (page *p, const char *key, const omen_names *names,
             const used *table)
{
  uint32_t count = table ? (uint32_t)table->list.count : names->count;
  fprintf (p->out, "\"%s\":[", key);
  for (uint32_t i = 0; i < count; i++) {
    fputs (i ? "," : "", p->out);
    omen_script_text (omen_names_text (names, table ? table->list.data[i] : i),
                      p->out);
  }
  fputs ("],\n", p->out);
}

static void
write_places (page *p)
{
  fputs ("\"keys\":[", p->out);
  for (size_t i = 0; i < p->places.list.count; i++) {
    const omen_place *place = &p->trace->places.data[p->places.list.data[i]];
    const char *name = omen_trace_variable_name (p->trace, place->variable);
    char text[512];
    if (place->size == OMEN_WHOLE)
      snprintf (text, sizeof text, "%s", name);
    else
      snprintf (text, sizeof text, "%s+%u:%u", name, place->offset,
                place->size);
    fputs (i ? ",[" : "[", p->out);
    omen_script_text (text, p->out);
    fprintf (p->out, ",%u,%u,%" PRId64 "]", place->variable, place->offset,
             place->size == OMEN_WHOLE ? -1 : (int64_t)place->size);
  }
  fputs ("],\n", p->out);
}

/* ---- events ---- */

/* The class of an event for page.js, and the id of its place or lock. */
static char
event_class (const omen_trace *trace, omen_eid e, uint32_t *key)
{
  const omen_event *event = omen_trace_event (trace, e);
  *key = event->object;
  switch (event->kind) {
  case OMEN_READ:
  case OMEN_ATOMIC_READ:
    return 'r';
  case OMEN_WRITE:
  case OMEN_ATOMIC_WRITE:
  case OMEN_EXTERNAL:
    return 'w';
  case OMEN_ATOMIC_RMW:
    return 'u';
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    return 'a';
  case OMEN_RELEASE:
  case OMEN_READ_RELEASE:
    return 'e';
  case OMEN_WAIT:
  case OMEN_WAKE:
    *key = (uint32_t)event->value;
    if (*key == OMEN_NONE)
      return 's';
    return event->kind == OMEN_WAIT ? 'e' : 'a';
  default:
    return omen_kind_class (event->kind) == OMEN_CLASS_SYNC ? 's' : 'm';
  }
}

/* Write the value: "5" of "w(x=5)", "6" of "rmw(x=5:6)"; empty if there is
   none. */
static void
write_value (page *p, const char *operation, size_t length, char class)
{
  const char *equals = strchr (operation, '='), *value;
  size_t end = length && operation[length - 1] == ')' ? length - 1 : length;
  if (!strchr ("rwu", class) || !equals) {
    fputs ("\"\"", p->out);
    return;
  }
  value = equals + 1;
  if (class == 'u')
    for (const char *at = value; at < operation + end; at++)
      if (*at == ':')
        value = at + 1;
  omen_script_text_n (value, (size_t)(operation + end - value), p->out);
}

static void
write_event (page *p, omen_eid e)
{
  const omen_trace *trace = p->trace;
  char operation[400];
  uint32_t key;
  char class = event_class (trace, e, &key);
  size_t length = omen_text_operation (trace, e, operation, sizeof operation);
  fprintf (p->out, "[%u,%u,", trace->index[e], e);
  omen_script_text_n (operation, length, p->out);
  if (key != OMEN_NONE && strchr ("rwu", class))
    key = number_in (&p->places, key);
  else if (key != OMEN_NONE && strchr ("ae", class))
    key = number_in (&p->locks, key);
  fprintf (p->out, ",%u,\"%c\",%" PRId64 ",",
           number_in (&p->locations, omen_trace_event (trace, e)->location),
           class, key == OMEN_NONE ? -1 : (int64_t)key);
  write_value (p, operation, length, class);
  fputc (']', p->out);
}

static void
write_events (page *p)
{
  fputs ("\"t\":[", p->out);
  for (omen_tid t = 0; t < p->trace->threads.count; t++) {
    fputs (t ? "],\n[" : "[", p->out);
    bool any = false;
    for (uint32_t i = 0; i < p->trace->threads.data[t].count; i++) {
      omen_eid e = omen_trace_nth (p->trace, t, i);
      if (!p->chosen[e])
        continue;
      fputs (any ? ",\n" : "", p->out);
      write_event (p, e);
      any = true;
    }
  }
  fputs (p->trace->threads.count ? "]],\n" : "],\n", p->out);
}

/* ---- findings ---- */

static json_t *
replay_command (const page *p, unsigned number)
{
  const omen_trace *trace = p->trace;
  omen_printed command;
  if (!p->report->witness_dir || trace->program == OMEN_NONE)
    return json_null ();
  omen_words_replay (trace, p->report->witness_dir, number,
                     omen_printed_open (&command));
  return omen_printed_close (&command);
}

/* Keep the first and last accesses, according to is_shown. */
static void
cut_accesses (page *p, json_t *finding)
{
  json_t *list = json_object_get (finding, "accesses"), *kept = json_array ();
  size_t count = json_array_size (list);
  for (size_t i = 0; i < count; i++)
    if (is_shown (p, i, count))
      json_array_append (kept, json_array_get (list, i));
  p->cut |= json_array_size (kept) < count;
  json_object_set_new (finding, "accesses", kept);
}

/* Keep the slices of the last steps; "skipped" is the number of events
   before. */
static void
cut_schedule (const page *p, json_t *finding, size_t steps)
{
  json_t *list = json_object_get (finding, "schedule");
  size_t most = p->detail->steps, skip = steps > most ? steps - most : 0;
  json_int_t skipped = 0;
  while (skip && json_array_size (list)) {
    json_t *run = json_array_get (list, 0), *from = json_array_get (run, 1);
    json_int_t first = json_integer_value (from);
    json_int_t length = json_integer_value (json_array_get (run, 2)) - first;
    if ((size_t)length > skip) {
      json_integer_set (from, first + (json_int_t)skip);
      length = (json_int_t)skip;
    } else
      json_array_remove (list, 0);
    skipped += length;
    skip -= (size_t)length;
  }
  json_object_set_new (finding, "skipped", json_integer (skipped));
}

static void
cut_pairs (page *p, json_t *finding)
{
  json_t *list = json_object_get (finding, "pairs");
  size_t count = json_array_size (list);
  if (count <= p->detail->pairs + 1)
    return;
  while (json_array_size (list) > p->detail->pairs + 1)
    json_array_remove (list, json_array_size (list) - 1);
  json_object_set_new (finding, "morePairs",
                       json_integer ((json_int_t)count - 1));
  p->cut = true;
}

/* Renumber the stacks of this list, collecting them in `kept`. */
static void
keep_stacks (json_t *list, json_t *stacks, json_t *kept, json_int_t *number)
{
  json_t *item;
  size_t i;
  json_array_foreach (list, i, item)
  {
    json_t *stack = json_object_get (item, "stack");
    size_t old = (size_t)json_integer_value (stack);
    if (!stack)
      continue;
    if (number[old] < 0) {
      number[old] = (json_int_t)json_array_size (kept);
      json_array_append (kept, json_array_get (stacks, old));
    }
    json_integer_set (stack, number[old]);
  }
}

static void
cut_stacks (json_t *finding)
{
  json_t *stacks = json_object_get (finding, "stacks"), *kept = json_array ();
  json_t *instance;
  size_t count = json_array_size (stacks), i;
  json_int_t *number = omen_alloc ((count + 1) * sizeof *number);
  for (i = 0; i < count; i++)
    number[i] = -1;
  keep_stacks (json_object_get (finding, "accesses"), stacks, kept, number);
  keep_stacks (json_object_get (finding, "objects"), stacks, kept, number);
  json_array_foreach (omen_report_json_instances (finding), i, instance)
      keep_stacks (json_object_get (instance, "accesses"), stacks, kept,
                   number);
  json_object_set_new (finding, "stacks", kept);
  omen_free (number);
}

static void
write_finding (page *p, size_t i)
{
  const omen_finding *finding = &p->run->findings->data[i];
  unsigned number = p->run->first + (unsigned)i;
  json_t *json = omen_report_json (p->reporter, finding, number);
  cut_accesses (p, json);
  cut_schedule (p, json, finding->witness.sequence.count);
  cut_pairs (p, json);
  cut_stacks (json);
  json_object_del (json, "events"); /* the accesses contain them */
  json_object_set_new (json, "headline",
                       omen_words_headline_json (p->reporter, finding));
  json_object_set_new (json, "sentence",
                       omen_words_sentence_json (p->reporter, finding));
  json_object_set_new (json, "command", replay_command (p, number));
  fputs (i ? ",\n" : "", p->out);
  omen_script_json (json, p->out);
}

static void
write_findings (page *p)
{
  if (p->report->unfinished)
    fputs ("\"unfinished\":true,", p->out);
  fputs ("\"findings\":[", p->out);
  for (size_t i = 0; i < room (p); i++)
    write_finding (p, i);
  fputs ("],\n", p->out);
}

static void
write_sources (page *p)
{
  omen_source_lines sources;
  omen_sources_init (&sources, p->trace, p->report->source_paths);
  for (size_t i = 0; i < p->locations.list.count; i++)
    omen_sources_want (
        &sources,
        omen_names_text (&p->trace->locations, p->locations.list.data[i]),
        p->detail->around);
  fputs ("\"sources\":", p->out);
  omen_sources_write (&sources, p->out);
  fputc ('}', p->out);
  omen_sources_fini (&sources);
}

static void
write_head (page *p)
{
  const omen_trace *trace = p->trace;
  fputs ("{\"program\":", p->out);
  omen_script_text (trace->program == OMEN_NONE
                        ? ""
                        : omen_names_text (&trace->strings, trace->program),
                    p->out);
  fputs (",\"trace\":", p->out);
  omen_script_text (omen_names_text (&trace->strings, trace->path), p->out);
  fprintf (p->out, ",\"events\":%zu,\n", trace->events.count);
}

static void
write_run (page *p, const omen_report_run *run)
{
  const omen_trace *trace = run->trace;
  p->run = run;
  p->trace = trace;
  p->reporter = omen_reporter_new (trace);
  p->chosen = omen_zalloc (trace->events.count + 1, sizeof *p->chosen);
  use_init (&p->locations, trace->locations.count);
  use_init (&p->places, (uint32_t)trace->places.count);
  use_init (&p->locks, trace->names[OMEN_OPERAND_LOCK].count);
  choose_events (p);
  write_head (p);
  write_names (p, "threads", &trace->names[OMEN_OPERAND_THREAD], NULL);
  write_events (p);
  write_names (p, "locks", &trace->names[OMEN_OPERAND_LOCK], &p->locks);
  write_names (p, "locations", &trace->locations, &p->locations);
  write_places (p);
  write_findings (p);
  write_sources (p);
  p->findings += run->findings->count;
  p->written += room (p);
  use_fini (&p->locations);
  use_fini (&p->places);
  use_fini (&p->locks);
  omen_free (p->chosen);
  omen_reporter_free (p->reporter);
}

static void
write_data (page *p)
{
  bool any = false;
  fputs ("{\"runs\":[", p->out);
  for (size_t i = 0; i < p->report->count; i++) {
    if (p->written >= p->detail->findings) {
      p->findings += p->report->runs[i].findings->count;
      continue; /* even the names of threads may be too much */
    }
    fputs (any ? ",\n" : "", p->out);
    write_run (p, &p->report->runs[i]);
    any = true;
  }
  fputs ("],\n\"explored\":", p->out);
  omen_script_json (p->report->explored ? json_incref (p->report->explored)
                                        : json_null (),
                    p->out);
  fprintf (p->out, ",\n\"cut\":%s,\"missing\":%zu}", p->cut ? "true" : "false",
           p->findings - p->written);
}

static size_t
write_parts (const char *const *part, FILE *out)
{
  size_t size = 0;
  for (; *part; part++) {
    size += strlen (*part);
    if (out)
      fputs (*part, out);
  }
  return size;
}

/* Write with the most detail that fits. */
static void
write_fitting (const omen_report *report, size_t limit, FILE *out)
{
  for (size_t i = 0; i < OMEN_COUNT (details); i++) {
    char *text;
    size_t size;
    page p = { .report = report, .detail = &details[i] };
    p.out = open_memstream (&text, &size);
    OMEN_CHECK (p.out);
    write_data (&p);
    fclose (p.out);
    bool fits = size <= limit || i + 1 == OMEN_COUNT (details);
    if (fits)
      fwrite (text, 1, size, out);
    free (text);
    if (fits)
      return;
  }
}

bool
omen_report_html (const omen_report *report, FILE *out, omen_err *err)
{
  size_t around = write_parts (omen_page_before, out)
                  + write_parts (omen_page_after, NULL);
  write_fitting (report, PAGE_MAX - around, out);
  write_parts (omen_page_after, out);
  return !ferror (out)
         || omen_err_io (err, "", "cannot write the page: %s",
                         strerror (errno));
}
