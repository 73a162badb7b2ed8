#include "report/cause.h"
#include "report/reporter.h"
#include "witness/lifetime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- names without what differs between instances ---- */

/* Does a list of template arguments start at `at`, as in "box<int>::n"? Not in
   "operator<". */
static bool
opens_arguments (const char *name, const char *at)
{
  return *at == '<' && at > name
         && (isalnum ((unsigned char)at[-1]) || at[-1] == '_')
         && !(at - name >= 8 && !memcmp (at - 8, "operator", 8));
}

static const char *
after_arguments (const char *at)
{
  size_t depth = 0;
  const char *end = at;
  for (; *end; end++) {
    depth += *end == '<';
    if (*end == '>' && !--depth)
      return end + 1;
  }
  return at + 1; /* unbalanced: no list of arguments */
}

void
omen_cause_print_common (const char *name, FILE *out)
{
  const char *at = name;
  while (*at) {
    size_t digits = strspn (at + 1, "0123456789");
    if (opens_arguments (name, at)) {
      fputs ("<>", out);
      at = after_arguments (at);
    } else if (*at == '[' && digits && at[1 + digits] == ']') {
      fputs ("[]", out);
      at += digits + 2;
    } else if (*at == '~' && digits) /* another block of that line */
      at += digits + 1;
    else
      fputc (*at++, out);
  }
}

/* Named after an allocating line, which may be in a function that allocates for
   many. */
static bool
is_of_heap (const char *variable)
{
  return !strncmp (variable, "malloc@", 7) || !strncmp (variable, "mmap@", 5);
}

/* ---- parts of causes ---- */

typedef struct causing {
  omen_causes *causes;
  omen_reporter *reporter;
  const omen_finding *finding;
  omen_eid events[2]; /* the accesses; or one access, and OMEN_NONE */
} causing;

static void
add_text (const causing *c, char *text)
{
  OMEN_VEC_PUSH (*c->causes, text);
}

typedef struct printing {
  char *text;
  size_t size;
  FILE *out;
} printing;

static FILE *
begin_printing (printing *p, const causing *c)
{
  const omen_claim *claim = &c->finding->witness.claim;
  p->out = open_memstream (&p->text, &p->size);
  OMEN_REQUIRE (p->out);
  fputs (omen_finding_kind_text (c->finding->kind), p->out);
  if (c->finding->kind == OMEN_FINDING_MISUSE)
    fprintf (p->out, " (%s)", omen_misuse_text (claim->word));
  if (c->finding->kind == OMEN_FINDING_LIFETIME)
    fprintf (p->out, " (%s)",
             omen_lifetime_text (omen_lifetime_of (c->reporter->trace, claim)));
  fputs (" of ", p->out);
  return p->out;
}

static void
end_printing (printing *p, const causing *c)
{
  fclose (p->out);
  add_text (c, omen_strdup (p->text));
  free (p->text);
}

static void
print_function (const omen_trace *trace, omen_eid e, FILE *out)
{
  const char *function = omen_reporter_function (trace, e);
  const char *location = omen_trace_location (trace, e);
  unsigned long line;
  size_t file = omen_reporter_file (location, &line);
  fprintf (out, "%.*s ", (int)(function ? file : strlen (location)), location);
  omen_cause_print_common (function ? function : "", out);
}

typedef void (*event_printer) (const omen_trace *trace, omen_eid e, FILE *out);

/* "; f.c look; f.c change", sorted, so that the order of the events does not
   matter. */
static void
print_both (const causing *c, event_printer print, FILE *out)
{
  char *texts[2] = { NULL };
  size_t size, count = c->events[1] == OMEN_NONE ? 1 : 2;
  for (size_t i = 0; i < count; i++) {
    FILE *one = open_memstream (&texts[i], &size);
    OMEN_REQUIRE (one);
    print (c->reporter->trace, c->events[i], one);
    fclose (one);
  }
  bool turned = count == 2 && strcmp (texts[0], texts[1]) > 0;
  fprintf (out, "; %s", texts[turned]);
  if (count == 2)
    fprintf (out, "; %s", texts[!turned]);
  free (texts[0]);
  free (texts[1]);
}

static void
print_line (const omen_trace *trace, omen_eid e, FILE *out)
{
  fputs (omen_trace_location (trace, e), out);
}

/* The access to the smaller part: a race of x.a with a copy of all of x is
   about x.a. */
static omen_eid
narrower (const causing *c)
{
  const omen_trace *trace = c->reporter->trace;
  uint64_t sizes[2] = { OMEN_WHOLE, OMEN_WHOLE };
  for (int i = 0; i < 2 && c->events[i] != OMEN_NONE; i++) {
    const omen_event *event = omen_trace_event (trace, c->events[i]);
    if (omen_kind_operand (event->kind) == OMEN_OPERAND_PLACE)
      sizes[i] = trace->places.data[event->object].size;
  }
  return c->events[sizes[1] < sizes[0]];
}

/* "settings.size", or "malloc@f.c:3+8" if no type is known. */
static void
print_part (const causing *c, FILE *out)
{
  const omen_trace *trace = c->reporter->trace;
  const omen_event *event = omen_trace_event (trace, narrower (c));
  const omen_place *place;
  char name[OMEN_PART_NAME_MAX];
  if (omen_kind_operand (event->kind) != OMEN_OPERAND_PLACE) {
    omen_cause_print_common (omen_reporter_subject (c->reporter, c->finding),
                             out);
    return;
  }
  place = &trace->places.data[event->object];
  omen_cause_print_common (omen_part_name (trace, place, name), out);
  if (place->size != OMEN_WHOLE && place->offset
      && !strcmp (name, omen_trace_variable_name (trace, place->variable)))
    fprintf (out, "+%u", place->offset);
}

/* ---- causes ---- */

static void
add_same_part (const causing *c, bool heap)
{
  printing p;
  for (size_t i = 0; i < (heap && c->events[1] != OMEN_NONE ? 2 : 1); i++) {
    print_part (c, begin_printing (&p, c));
    if (heap) {
      fputs (" in ", p.out);
      print_function (c->reporter->trace, c->events[i], p.out);
    }
    end_printing (&p, c);
  }
}

/* For lifetimes: the same object, ended in the same function. */
static void
add_same_end (const causing *c)
{
  printing p;
  begin_printing (&p, c);
  omen_cause_print_common (omen_reporter_subject (c->reporter, c->finding),
                           p.out);
  fputs (" in ", p.out);
  print_function (c->reporter->trace, c->events[0], p.out);
  end_printing (&p, c);
}

/* What a line in an allocator allocates may be of several types. */
static void
print_type (const causing *c, FILE *out)
{
  const omen_trace *trace = c->reporter->trace;
  const omen_event *event = omen_trace_event (trace, c->events[0]);
  uint32_t type = OMEN_NONE;
  if (omen_kind_operand (event->kind) == OMEN_OPERAND_PLACE)
    type = omen_layouts_type_of (&trace->layouts,
                                 trace->places.data[event->object].variable);
  if (type != OMEN_NONE)
    fprintf (out, " (%s)", omen_names_text (&trace->strings, type));
}

static void
add_same_functions (const causing *c)
{
  printing p;
  begin_printing (&p, c);
  omen_cause_print_common (omen_reporter_subject (c->reporter, c->finding),
                           p.out);
  print_type (c, p.out);
  print_both (c, print_function, p.out);
  end_printing (&p, c);
}

static void
add_same_lines (const causing *c)
{
  printing p;
  if (!*omen_trace_location (c->reporter->trace, c->events[0]))
    return;
  fputs ("lines", begin_printing (&p, c));
  print_both (c, print_line, p.out);
  end_printing (&p, c);
}

void
omen_causes_of (omen_causes *causes, omen_reporter *reporter,
                const omen_finding *finding)
{
  const omen_eid *claimed = finding->witness.claim.events.data;
  bool two = finding->kind == OMEN_FINDING_RACE;
  causing c = {
    causes, reporter, finding, { claimed[0], two ? claimed[1] : OMEN_NONE }
  };
  if (finding->kind == OMEN_FINDING_LIFETIME) {
    add_same_end (&c);
    return;
  }
  if (finding->kind != OMEN_FINDING_RACE && finding->kind != OMEN_FINDING_NONDET
      && finding->kind != OMEN_FINDING_MISUSE) {
    omen_finding alone = *finding;
    alone.by_cause = finding->kind == OMEN_FINDING_ATOMICITY;
    add_text (&c, omen_report_fingerprint (reporter, &alone));
    return;
  }
  add_same_part (&c, omen_cause_of_heap (reporter, finding));
  add_same_functions (&c);
  add_same_lines (&c);
}

bool
omen_cause_of_heap (const omen_reporter *reporter, const omen_finding *finding)
{
  return is_of_heap (omen_reporter_subject (reporter, finding));
}

void
omen_causes_fini (omen_causes *causes)
{
  for (size_t i = 0; i < causes->count; i++)
    omen_free (causes->data[i]);
  OMEN_VEC_FINI (*causes);
}
