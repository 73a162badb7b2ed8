#include "driver/spec_speaks.h"
#include "monitor/threads.h"
#include "witness/observe.h"

#include <string.h>

#define KIND(kind) ((uint64_t)1 << OMEN_##kind)

/* ---- variables and functions ---- */

/* Does the name denote the variable, or something in it (`cfg.port`,
   `table[3].*`)? */
static bool
name_speaks_of (const char *name, const char *variable)
{
  size_t length = strlen (name);
  char *head = omen_strdup (name);
  bool fits = omen_pattern_fits (head, variable);
  while (!fits && length-- > 0)
    if (head[length] == '.' || head[length] == '[') {
      head[length] = 0;
      fits = omen_pattern_fits (head, variable);
    }
  omen_free (head);
  return fits;
}

static bool
fits_name (omen_cut_operand operand, const char *pattern, const char *name)
{
  return operand == OMEN_CUT_VARIABLE ? name_speaks_of (pattern, name)
                                      : omen_pattern_fits (pattern, name);
}

/* Does a pointcut of the event select this operand by name? `star`: a bare `*`
   counts. */
static bool
event_fits (const omen_property_event *event, omen_cut_operand operand,
            const char *name, bool star)
{
  for (uint32_t i = 0; i < event->cut_count; i++) {
    const omen_cut *cut = &event->cuts[i];
    if (omen_cut_takes (cut->kind) == operand
        && (star || strcmp (cut->pattern, "*"))
        && fits_name (operand, cut->pattern, name))
      return true;
  }
  return false;
}

static bool
has_predicate (const omen_property *p, const char *variable)
{
  for (uint32_t i = 0; i < p->predicates; i++)
    for (uint32_t n = 0; n < p->predicate[i]->name_count; n++)
      if (name_speaks_of (p->predicate[i]->names[n], variable))
        return true;
  return false;
}

static bool
property_fits (const omen_property *p, omen_cut_operand operand,
               const char *name, bool star)
{
  for (uint32_t e = 0; e < p->events; e++)
    if (event_fits (&p->event[e], operand, name, star))
      return true;
  return operand == OMEN_CUT_VARIABLE && has_predicate (p, name);
}

static bool
list_fits (const omen_spec_list *list, omen_cut_operand operand,
           const char *name, bool star)
{
  for (size_t i = 0; i < list->predict.count; i++)
    for (uint32_t p = 0; p < list->predict.data[i].count; p++)
      if (property_fits (&list->predict.data[i].properties[p], operand, name,
                         star))
        return true;
  return false;
}

bool
omen_spec_list_speaks_of (const void *list, const char *variable)
{
  return list_fits (list, OMEN_CUT_VARIABLE, variable, true);
}

bool
omen_spec_list_names (const void *list, const char *variable)
{
  return list_fits (list, OMEN_CUT_VARIABLE, variable, false);
}

bool
omen_spec_list_watches (const void *list, const char *variable)
{
  const omen_spec_list *specs = list;
  for (size_t i = 0; i < specs->predict.count; i++)
    for (uint32_t p = 0; p < specs->predict.data[i].count; p++)
      if (has_predicate (&specs->predict.data[i].properties[p], variable))
        return true;
  return false;
}

bool
omen_spec_list_calls (const void *list, const char *function)
{
  return list_fits (list, OMEN_CUT_FUNCTION, function, true);
}

/* ---- kinds ---- */

static uint64_t
cut_kinds (omen_cut_kind kind)
{
  switch (kind) {
  case OMEN_CUT_ACQUIRE:
  case OMEN_CUT_RELEASE:
  case OMEN_CUT_WAIT:
  case OMEN_CUT_WAKE:
  case OMEN_CUT_NOTIFY:
    return KIND (ACQUIRE) | KIND (RELEASE) | KIND (READ_ACQUIRE)
           | KIND (READ_RELEASE) | KIND (WAIT) | KIND (WAKE) | KIND (NOTIFY)
           | KIND (NOTIFY_ALL);
  case OMEN_CUT_FORK:
  case OMEN_CUT_JOIN:
    return KIND (FORK) | KIND (JOIN);
  case OMEN_CUT_BEGIN:
  case OMEN_CUT_END:
    return KIND (BEGIN) | KIND (END);
  case OMEN_CUT_ALLOC:
  case OMEN_CUT_FREE:
    return KIND (ALLOC) | KIND (FREE);
  default:
    return 0;
  }
}

/* emit and free events may concern any binding. */
static uint64_t
property_kinds (const omen_property *p)
{
  uint64_t kinds = KIND (EMIT) | (p->parameters ? KIND (FREE) : 0);
  for (uint32_t e = 0; e < p->events; e++)
    for (uint32_t i = 0; i < p->event[e].cut_count; i++)
      kinds |= cut_kinds (p->event[e].cuts[i].kind);
  return kinds;
}

uint64_t
omen_spec_list_kinds (const omen_spec_list *list)
{
  uint64_t kinds = 0;
  OMEN_ASSERT (OMEN_KINDS <= 64);
  for (size_t i = 0; i < list->predict.count; i++)
    for (uint32_t p = 0; p < list->predict.data[i].count; p++)
      kinds |= property_kinds (&list->predict.data[i].properties[p]);
  return kinds;
}

bool
omen_spec_list_threads (const omen_spec_list *list)
{
  for (size_t i = 0; i < list->predict.count; i++)
    for (uint32_t p = 0; p < list->predict.data[i].count; p++)
      if (omen_property_asks_threads (&list->predict.data[i].properties[p]))
        return true;
  return false;
}

static bool
property_parallel (const omen_property *p)
{
  for (uint32_t f = 0; f < p->formulas; f++)
    if (omen_threads_parallel (&p->formula[f].machine))
      return true;
  return false;
}

bool
omen_spec_list_parallel (const omen_spec_list *list)
{
  for (size_t i = 0; i < list->predict.count; i++)
    for (uint32_t p = 0; p < list->predict.data[i].count; p++)
      if (property_parallel (&list->predict.data[i].properties[p]))
        return true;
  return false;
}
