#include "finals.h"

#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last write of the variable in the file, or OMEN_NONE; base orders other
   than that of the file are left out by the caller. */
static omen_eid
last_write (const omen_trace *trace, omen_vid v)
{
  for (size_t i = trace->events.count; i-- > 0;) {
    const omen_event *event = &trace->events.data[i];
    if (omen_kind_class (event->kind) == OMEN_CLASS_ACCESS
        && omen_kind_writes (event->kind)
        && trace->places.data[event->object].variable == v)
      return (omen_eid)i;
  }
  return OMEN_NONE;
}

/* By a thread of its own, so that no other read has to be preserved for it;
   with the value, if it is known. */
static void
print_read (const omen_trace *trace, omen_vid v, omen_eid w, FILE *out)
{
  char operation[256];
  const char *value;
  unsigned kind = trace->events.data[w].kind;
  omen_text_operation (trace, w, operation, sizeof operation);
  value = strrchr (operation, kind == OMEN_ATOMIC_RMW ? ':' : '=');
  fprintf (out, "END|fork(END%u)|\nEND%u|r(%s", v, v,
           omen_trace_variable_name (trace, v));
  if (value && omen_kind_class (kind) == OMEN_CLASS_ACCESS)
    fprintf (out, "=%.*s", (int)strcspn (value + 1, ")"), value + 1);
  fputs (")|\n", out);
}

static bool
is_ranged (const omen_trace *trace, omen_vid v)
{
  for (size_t i = 0; i < trace->places.count; i++)
    if (trace->places.data[i].variable == v
        && trace->places.data[i].size != OMEN_WHOLE)
      return true;
  return false;
}

static bool
is_namesake (const omen_trace *trace, omen_vid v)
{
  for (omen_vid u = 0; u < trace->names[OMEN_OPERAND_VARIABLE].count; u++)
    if (u != v
        && !strcmp (omen_trace_variable_name (trace, u),
                    omen_trace_variable_name (trace, v)))
      return true;
  return false;
}

/* The extended trace as text, for free (). NULL: it cannot be made. */
static char *
extended (const omen_trace *trace, omen_model_name model)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  bool good = omen_text_write (trace, out, NULL);
  for (omen_tid t = 0; t < trace->threads.count; t++)
    fprintf (out, "END|join(%s)|\n", omen_trace_thread_name (trace, t));
  for (omen_vid v = 0; v < trace->names[OMEN_OPERAND_VARIABLE].count; v++) {
    omen_eid w = last_write (trace, v);
    good = good && !is_namesake (trace, v)
           && !(is_ranged (trace, v) && model != OMEN_MODEL_RF);
    if (w != OMEN_NONE)
      print_read (trace, v, w, out);
  }
  fclose (out);
  if (good)
    return text;
  free (text);
  return NULL;
}

static bool
can_be_last (const oracle *o, const omen_trace *longer, omen_eid from,
             omen_eid c)
{
  for (omen_eid r = from; r < longer->events.count; r++)
    if (longer->events.data[r].kind == OMEN_READ
        && oracle_nondet (o, r, c) & 1u << OMEN_WCR)
      return true;
  return false;
}

bool
finals_of (const omen_trace *trace, omen_model_name model, omen_ids *writes)
{
  oracle_request request = { .claims = ORACLE_NONDET };
  omen_err err = { 0 };
  char *text = extended (trace, model);
  omen_trace *longer
      = text ? omen_text_parse ("longer", text, strlen (text), &err) : NULL;
  oracle *o = longer ? oracle_new (longer, model, &request, &err) : NULL;
  omen_eid count = (omen_eid)trace->events.count;
  for (omen_eid c = 0; o && c < count; c++)
    if (can_be_last (o, longer, count, c))
      OMEN_VEC_PUSH (*writes, c);
  oracle_free (o);
  omen_trace_free (longer);
  free (text);
  return o != NULL;
}
