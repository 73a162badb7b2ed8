#include "weave/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 16 };

/* Only omen cc writes this, so errors in it are bugs or version mismatches. */
static _Noreturn void
refuse (const char *line)
{
  fprintf (stderr,
           "omen-weave: OMEN_WEAVE_EVENTS: cannot read \"%s\"; is omen cc of "
           "the same version?\n",
           line);
  exit (1);
}

static void *
make_item (omen_weave_list *list, size_t size)
{
  void *item = calloc (1, size);
  if (!item)
    refuse ("(no memory)");
  omen_weave_list_add (list, item);
  return item;
}

static unsigned
split (char *text, char mark, char **fields, unsigned room)
{
  unsigned count = 0;
  while (text && count < room) {
    fields[count++] = text;
    text = strchr (text, mark);
    if (text)
      *text++ = 0;
  }
  return count;
}

static int
slot_of_parameter (const char *text, const omen_plan_event *event)
{
  char *end;
  long slot = strtol (text, &end, 10);
  if (!strcmp (text, "-"))
    return OMEN_NO_SLOT;
  if (*end || end == text || slot < 0 || slot >= (long)event->slots)
    refuse (text);
  return (int)slot;
}

static void
read_args (omen_plan_cut *cut, char *text)
{
  char *words[OMEN_SLOTS_MAX];
  if (!strcmp (text, "-"))
    return;
  cut->has_args = true;
  cut->arg_count = *text ? split (text, ' ', words, OMEN_SLOTS_MAX) : 0;
  for (unsigned i = 0; i < cut->arg_count; i++) {
    omen_plan_arg *arg = &cut->args[i];
    arg->slot = OMEN_NO_SLOT;
    if (!strcmp (words[i], "*"))
      arg->kind = OMEN_ARG_ANY;
    else if (!strcmp (words[i], ".."))
      arg->kind = OMEN_ARG_REST;
    else if (words[i][0] == '=') {
      arg->kind = OMEN_ARG_TEXT;
      arg->text = words[i] + 1;
    } else {
      arg->kind = OMEN_ARG_NAME;
      arg->slot = slot_of_parameter (words[i], cut->event);
    }
  }
}

static omen_cut_kind
kind_of (const char *word)
{
  for (unsigned kind = 0; kind < OMEN_CUT_KINDS; kind++)
    if (!strcmp (word, omen_cut_word (kind)))
      return kind;
  refuse (word);
}

static void
read_cut (omen_weave_plan *plan, const omen_plan_event *event, char **fields)
{
  omen_plan_cut *cut = make_item (&plan->cuts, sizeof *cut);
  cut->event = event;
  cut->number = (uint32_t)strtoul (fields[1], NULL, 10);
  cut->kind = kind_of (fields[2]);
  cut->after = !strcmp (fields[3], "after");
  cut->pattern = fields[4];
  cut->returning = slot_of_parameter (fields[5], event);
  cut->thread = slot_of_parameter (fields[6], event);
  cut->target = slot_of_parameter (fields[7], event);
  cut->value = slot_of_parameter (fields[8], event);
  read_args (cut, fields[9]);
}

static const omen_plan_event *
read_event (omen_weave_plan *plan, uint64_t spec, char **fields)
{
  omen_plan_event *event = make_item (&plan->events, sizeof *event);
  event->spec = spec;
  event->property = (uint32_t)strtoul (fields[1], NULL, 10);
  event->number = (uint32_t)strtoul (fields[2], NULL, 10);
  event->slots = (uint32_t)strtoul (fields[3], NULL, 10);
  event->types = fields[4];
  event->text = fields[5];
  if (event->slots > OMEN_SLOTS_MAX || strlen (event->types) < event->slots)
    refuse (fields[3]);
  return event;
}

void
omen_plan_read (omen_weave_plan *plan)
{
  const char *text = secure_getenv ("OMEN_WEAVE_EVENTS");
  const omen_plan_event *event = NULL;
  uint64_t spec = 0;
  memset (plan, 0, sizeof *plan);
  if (!text || !(plan->text = strdup (text)))
    return;
  for (char *line = plan->text, *next; line && *line; line = next) {
    char *fields[FIELDS_MAX];
    if ((next = strchr (line, '\n')))
      *next++ = 0;
    unsigned count = split (line, '\t', fields, FIELDS_MAX);
    if (count == 2 && !strcmp (fields[0], "spec"))
      spec = strtoull (fields[1], NULL, 16);
    else if (count == 6 && !strcmp (fields[0], "event"))
      event = read_event (plan, spec, fields);
    else if (count == 10 && !strcmp (fields[0], "cut") && event)
      read_cut (plan, event, fields);
    else
      refuse (line);
  }
}

void
omen_plan_fini (omen_weave_plan *plan)
{
  for (size_t i = 0; i < plan->cuts.count; i++)
    free (plan->cuts.items[i]);
  for (size_t i = 0; i < plan->events.count; i++)
    free (plan->events.items[i]);
  omen_weave_list_fini (&plan->cuts);
  omen_weave_list_fini (&plan->events);
  free (plan->text);
}

bool
omen_plan_is_state (const omen_plan_event *event)
{
  return event->text[0] == '(';
}

bool
omen_plan_is_start (const omen_plan_event *event)
{
  return event->number == OMEN_NONE;
}

bool
omen_plan_takes (const omen_plan_cut *cut, unsigned parameters)
{
  if (!cut->has_args)
    return true;
  if (cut->arg_count && cut->args[cut->arg_count - 1].kind == OMEN_ARG_REST)
    return parameters >= cut->arg_count - 1;
  return parameters == cut->arg_count;
}
