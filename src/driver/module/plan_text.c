#include "driver/module/plan_text.h"

#include <ctype.h>
#include <string.h>

uint64_t
omen_spec_hash (const omen_spec *spec)
{
  uint64_t hash = UINT64_C (0xcbf29ce484222325);
  for (size_t i = 0; i < spec->size; i++)
    hash = (hash ^ (uint8_t)spec->text[i]) * UINT64_C (0x100000001b3);
  return hash;
}

static bool
is_about_variable (const omen_spec_event *event)
{
  for (size_t i = 0; i < event->cuts.count; i++)
    if (omen_cut_takes (event->cuts.data[i].kind) == OMEN_CUT_VARIABLE)
      return true;
  return false;
}

static bool
binds_name (const omen_spec_event *event, const char *name)
{
  for (uint32_t i = 0; i < event->name_count; i++)
    if (!strcmp (event->names[i], name))
      return true;
  return false;
}

uint32_t
omen_event_slots (const omen_spec_event *event)
{
  return event->name_count
         + (is_about_variable (event) && !binds_name (event, "value"));
}

const char *
omen_event_slot (const omen_spec_event *event, uint32_t slot)
{
  OMEN_REQUIRE (slot < omen_event_slots (event));
  return slot < event->name_count ? event->names[slot] : "value";
}

int
omen_event_slot_of (const omen_spec_event *event, const char *name)
{
  for (uint32_t i = 0; name && i < omen_event_slots (event); i++)
    if (!strcmp (omen_event_slot (event, i), name))
      return (int)i;
  return -1;
}

/* Is it the implicit event of writes to variables of state predicates? */
static bool
is_state_event (const omen_spec_event *event)
{
  return event->name[0] == '(';
}

/* Does the name occur in earlier predicates, or earlier in this one? */
static bool
is_listed_name (const omen_spec_property *p, size_t predicate, uint32_t name)
{
  const omen_condition *c = p->predicates.data[predicate].condition;
  for (size_t i = 0; i <= predicate; i++) {
    const omen_condition *other = p->predicates.data[i].condition;
    uint32_t count = i == predicate ? name : other->name_count;
    for (uint32_t n = 0; n < count; n++)
      if (!strcmp (other->names[n], c->names[name]))
        return true;
  }
  return false;
}

const char *
omen_property_watched (const omen_spec_property *p, uint32_t i)
{
  for (size_t c = 0; c < p->predicates.count; c++)
    for (uint32_t n = 0; n < p->predicates.data[c].condition->name_count; n++)
      if (!is_listed_name (p, c, n) && !i--)
        return p->predicates.data[c].condition->names[n];
  return NULL;
}

/* ---- one cut ---- */

static void
print_slot (FILE *out, const omen_spec_event *event, const char *name)
{
  int slot = omen_event_slot_of (event, name);
  if (slot < 0)
    fputs ("\t-", out);
  else
    fprintf (out, "\t%d", slot);
}

static void
print_argument (FILE *out, const omen_spec_event *event, const omen_arg *arg)
{
  switch (arg->kind) {
  case OMEN_ARG_NAME:
    fprintf (out, "%d", omen_event_slot_of (event, arg->name));
    return;
  case OMEN_ARG_ANY:
    fputs ("*", out);
    return;
  case OMEN_ARG_REST:
    fputs ("..", out);
    return;
  case OMEN_ARG_TEXT: /* a text with blanks is no name, and matches nothing */
    fputs ("=", out);
    for (const char *p = arg->name; *p; p++)
      putc (isspace ((unsigned char)*p) ? '_' : *p, out);
    return;
  }
}

static void
print_cut (FILE *out, const omen_spec_event *event, uint32_t number)
{
  const omen_cut *cut = &event->cuts.data[number];
  bool variable = omen_cut_takes (cut->kind) == OMEN_CUT_VARIABLE;
  fprintf (out, "cut\t%u\t%s\t%s\t%s", number, omen_cut_word (cut->kind),
           cut->after ? "after" : "before", cut->pattern);
  print_slot (out, event, cut->returning);
  print_slot (out, event, cut->thread);
  print_slot (out, event, cut->target);
  print_slot (out, event, variable ? "value" : NULL);
  putc ('\t', out);
  if (!cut->has_args)
    putc ('-', out);
  for (uint32_t i = 0; i < cut->arg_count; i++) {
    if (i)
      putc (' ', out);
    print_argument (out, event, &cut->args[i]);
  }
  putc ('\n', out);
}

/* ---- events ---- */

/* Do other properties have an event of this name? Then traces need the
   property's name, too. */
static bool
is_ambiguous (const omen_spec *spec, size_t property, const char *name)
{
  for (size_t p = 0; p < spec->properties.count; p++)
    for (size_t e = 0;
         p != property && e < spec->properties.data[p].events.count; e++)
      if (!strcmp (spec->properties.data[p].events.data[e].name, name))
        return true;
  return false;
}

/* Is it a value that no condition uses? */
static bool
is_unused (const omen_spec_event *event, uint32_t slot)
{
  bool used = slot < event->name_count;
  for (size_t c = 0; c < event->cuts.count; c++)
    used |= event->cuts.data[c].condition
            && strstr (event->cuts.data[c].condition->text, "value");
  return !used;
}

/* A letter for each slot: `d`, `f` for a double or float, `p` for a pointer,
   `*` for a value that is not used, else `-`. */
static void
print_types (FILE *out, const omen_spec_property *p,
             const omen_spec_event *event)
{
  putc ('\t', out);
  for (uint32_t i = 0; i < omen_event_slots (event); i++) {
    const char *type = omen_spec_type (p, event, omen_event_slot (event, i));
    bool pointer = type && strchr (type, '*');
    putc (is_unused (event, i)                          ? '*'
          : pointer                                     ? 'p'
          : type && !pointer && strstr (type, "double") ? 'd'
          : type && !pointer && strstr (type, "float")  ? 'f'
                                                        : '-',
          out);
  }
  if (!omen_event_slots (event))
    putc ('-', out);
}

static void
print_event (FILE *out, const omen_spec *spec, size_t property, size_t number)
{
  const omen_spec_property *p = &spec->properties.data[property];
  const omen_spec_event *event = &p->events.data[number];
  fprintf (out, "event\t%zu\t%zu\t%u", property, number,
           omen_event_slots (event));
  print_types (out, p, event);
  putc ('\t', out);
  if (!is_state_event (event) && is_ambiguous (spec, property, event->name))
    fprintf (out, "%s.", p->name);
  fputs (event->name, out);
  for (uint32_t i = 0; i < event->name_count; i++)
    fprintf (out, ", %s", event->names[i]);
  putc ('\n', out);
  for (uint32_t c = 0; c < event->cuts.count; c++)
    if (omen_cut_takes (event->cuts.data[c].kind) != OMEN_CUT_OBJECT)
      print_cut (out, event, c);
  if (is_state_event (event))
    for (uint32_t i = 0; omen_property_watched (p, i); i++)
      fprintf (out, "cut\t%u\tset\tafter\t%s\t-\t-\t-\t-\t-\n", i,
               omen_property_watched (p, i));
}

/* ---- functions that threads begin in ---- */

static bool
is_pattern (const char *text)
{
  bool good = *text && *text != '(';
  for (; *text; text++)
    good &= !isspace ((unsigned char)*text);
  return good;
}

/* For thread("teller"): emit an event at the start of the function `teller`,
   which may identify the thread. */
static void
print_threads (FILE *out, const omen_spec_property *p, size_t property)
{
  for (size_t e = 0; e < p->events.count; e++)
    for (size_t c = 0; c < p->events.data[e].cuts.count; c++) {
      const char *name = p->events.data[e].cuts.data[c].only_thread;
      if (name && is_pattern (name))
        fprintf (out,
                 "event\t%zu\t%u\t1\tp\t%s\n"
                 "cut\t0\texecution\tbefore\t%s\t-\t-\t-\t-\t-\n",
                 property, OMEN_NONE, name, name);
    }
}

void
omen_plan_text (FILE *out, const omen_spec *spec)
{
  fprintf (out, "spec\t%llx\n", (unsigned long long)omen_spec_hash (spec));
  for (size_t p = 0; p < spec->properties.count; p++) {
    for (size_t e = 0; e < spec->properties.data[p].events.count; e++)
      print_event (out, spec, p, e);
    print_threads (out, &spec->properties.data[p], p);
  }
}
