/* The page: page/ around one JSON object that page.js reads.

   The events of a run may be too many for a page. It gets those of the last
   STEPS_MAX steps of each schedule while they are fewer than EVENTS_MAX in all,
   then TAIL_MAX a schedule; the page shows what is missing as a gap. */
#include "report/page.h"
#include "report/script.h"
#include "report/sources.h"
#include "report/words.h"
#include "trace/text.h"

#include <string.h>

#include <inttypes.h>

#define STEPS_MAX 120000u
#define EVENTS_MAX 300000u
#define TAIL_MAX 2000u
#define LINES_AROUND 6u

typedef struct page {
  const omen_report *report;
  const omen_report_run *run; /* the one being written */
  const omen_trace *trace;    /* of it */
  omen_reporter *reporter;
  bool *chosen; /* by event */
  size_t chosen_count; /* in all runs */
  omen_sources sources;
  FILE *out;
} page;

static void
choose (page *p, omen_eid e)
{
  OMEN_REQUIRE (e < p->trace->events.count);
  p->chosen_count += !p->chosen[e];
  p->chosen[e] = true;
}

static void
choose_events (page *p)
{
  for (size_t i = 0; i < p->run->findings->count; i++) {
    const omen_witness *w = &p->run->findings->data[i].witness;
    size_t most = p->chosen_count < EVENTS_MAX ? STEPS_MAX : TAIL_MAX;
    size_t count = w->sequence.count;
    for (size_t k = count > most ? count - most : 0; k < count; k++)
      choose (p, w->sequence.data[k]);
    for (size_t k = 0; k < w->claim.events.count; k++)
      if (w->claim.events.data[k] != OMEN_NONE)
        choose (p, w->claim.events.data[k]);
  }
}

/* ---- tables of names ---- */

static void
write_names (page *p, const char *key, const omen_names *names)
{
  fprintf (p->out, "\"%s\":[", key);
  for (uint32_t i = 0; i < names->count; i++) {
    fputs (i ? "," : "", p->out);
    omen_script_text (omen_names_text (names, i), p->out);
  }
  fputs ("],\n", p->out);
}

static void
write_places (page *p)
{
  fputs ("\"keys\":[", p->out);
  for (size_t i = 0; i < p->trace->places.count; i++) {
    const omen_place *place = &p->trace->places.data[i];
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

/* What the page does with an event, and the place or lock it does it to. */
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

/* "5" of "w(x=5)", "6" of "rmw(x=5:6)"; empty if there is none. */
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
  fprintf (p->out, ",%u,\"%c\",%" PRId64 ",",
           omen_trace_event (trace, e)->location, class,
           key == OMEN_NONE ? -1 : (int64_t)key);
  write_value (p, operation, length, class);
  fputc (']', p->out);
}

static void
write_thread (page *p, omen_tid t)
{
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

static void
write_events (page *p)
{
  fputs ("\"t\":[", p->out);
  for (omen_tid t = 0; t < p->trace->threads.count; t++) {
    fputs (t ? "],\n[" : "[", p->out);
    write_thread (p, t);
  }
  fputs (p->trace->threads.count ? "]],\n" : "],\n", p->out);
}

/* ---- findings ---- */

static json_t *
replay_command (const page *p, unsigned number)
{
  const omen_trace *trace = p->trace;
  const char *program;
  char command[4096];
  if (!p->report->witness_dir || trace->program == OMEN_NONE)
    return json_null ();
  program = omen_names_text (&trace->strings, trace->program);
  snprintf (command, sizeof command, "omen replay %s/%u -- %s",
            p->report->witness_dir, number, program);
  return omen_words_text (command);
}

static void
write_finding (page *p, size_t i)
{
  const omen_finding *finding = &p->run->findings->data[i];
  unsigned number = p->run->first + (unsigned)i;
  json_t *json = omen_report_json (p->reporter, finding, number);
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
  fputs ("\"findings\":[", p->out);
  for (size_t i = 0; i < p->run->findings->count; i++)
    write_finding (p, i);
  fputs ("]}", p->out);
}

static void
want_sources (page *p)
{
  bool *wanted = omen_zalloc (p->trace->locations.count + 1, sizeof *wanted);
  for (size_t e = 0; e < p->trace->events.count; e++)
    if (p->chosen[e])
      wanted[p->trace->events.data[e].location] = true;
  for (uint32_t i = 0; i < p->trace->locations.count; i++)
    if (wanted[i])
      omen_sources_want (&p->sources,
                         omen_names_text (&p->trace->locations, i),
                         LINES_AROUND);
  omen_free (wanted);
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
  choose_events (p);
  write_head (p);
  write_names (p, "threads", &trace->names[OMEN_OPERAND_THREAD]);
  write_names (p, "locks", &trace->names[OMEN_OPERAND_LOCK]);
  write_names (p, "locations", &trace->locations);
  write_places (p);
  write_events (p);
  write_findings (p);
  want_sources (p);
  omen_free (p->chosen);
  omen_reporter_free (p->reporter);
}

static void
write_data (page *p)
{
  omen_sources_init (&p->sources);
  fputs ("{\"runs\":[", p->out);
  for (size_t i = 0; i < p->report->count; i++) {
    fputs (i ? ",\n" : "", p->out);
    write_run (p, &p->report->runs[i]);
  }
  fputs ("],\n\"sources\":", p->out);
  omen_sources_write (&p->sources, p->out);
  fputc ('}', p->out);
  omen_sources_fini (&p->sources);
}

static void
write_parts (const char *const *part, FILE *out)
{
  for (; *part; part++)
    fputs (*part, out);
}

bool
omen_report_html (const omen_report *report, FILE *out, omen_err *err)
{
  page p = { .report = report, .out = out };
  write_parts (omen_page_before, out);
  write_data (&p);
  write_parts (omen_page_after, out);
  return !ferror (out) || omen_err_io (err, "", "cannot write the page");
}
