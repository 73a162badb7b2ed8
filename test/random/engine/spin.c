#include "spin.h"
#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the lock only taken and given, by who has it not and who has it? */
static bool
is_simple (const omen_trace *trace, omen_lid lock)
{
  uint32_t holder = OMEN_NONE;
  for (size_t e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    if (omen_kind_operand (event->kind) == OMEN_OPERAND_CONDITION
        && event->value == lock)
      return false;
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_LOCK
        || event->object != lock)
      continue;
    if (event->kind == OMEN_ACQUIRE && holder == OMEN_NONE)
      holder = event->thread;
    else if (event->kind == OMEN_RELEASE && holder == event->thread)
      holder = OMEN_NONE;
    else if (event->kind != OMEN_TRY_FAIL || holder == OMEN_NONE
             || holder == event->thread)
      return false;
  }
  return true;
}

static const char *
operation (unsigned kind, bool weak, bool exchange)
{
  switch (kind) {
  case OMEN_ACQUIRE:
    return weak ? "rmw.rlx(word_%.*s=0:1)" : "rmw.acq(word_%.*s=0:1)";
  case OMEN_RELEASE:
    if (exchange)
      return weak ? "rmw.rlx(word_%.*s=1:0)" : "rmw.rel(word_%.*s=1:0)";
    return weak ? "aw.rlx(word_%.*s=0)" : "aw.rel(word_%.*s=0)";
  default:
    return "ar(word_%.*s=1)";
  }
}

/* What stands between the two bars of the line. */
static void
write_line (const omen_trace *trace, omen_eid e, const omen_line *line,
            uint64_t seed, FILE *out)
{
  const omen_event *event = &trace->events.data[e];
  const omen_name *name = &trace->names[OMEN_OPERAND_LOCK].names[event->object];
  const char *first = memchr (line->data, '|', line->count);
  const char *end = line->data + line->count;
  const char *second = memchr (first + 1, '|', (size_t)(end - first - 1));
  fwrite (line->data, 1, (size_t)(first + 1 - line->data), out);
  fprintf (out,
           operation (event->kind, (seed / 8 + event->object) % 2,
                      (seed / 16 + e) % 2),
           (int)name->length, name->text);
  fwrite (second, 1, (size_t)(end - second), out);
}

static bool
copy_init (void *data, size_t i)
{
  (void)data;
  (void)i;
  return true;
}

static bool
no_event (void *data, omen_eid e)
{
  (void)data;
  (void)e;
  return false;
}

omen_trace *
spinning_trace (const omen_trace *trace, uint64_t seed)
{
  omen_text_choice inits = { no_event, copy_init, NULL, false };
  omen_line line = { 0 };
  omen_err err = { 0 };
  omen_trace *made;
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  bool written = out && omen_text_write_some (trace, &inits, out, &err);
  OMEN_REQUIRE (written);
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *event = &trace->events.data[e];
    bool word = omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK
                && is_simple (trace, event->object);
    OMEN_VEC_CLEAR (line);
    omen_text_event (trace, e, &line);
    if (word)
      write_line (trace, e, &line, seed, out);
    else
      fwrite (line.data, 1, line.count, out);
    fputc ('\n', out);
  }
  fclose (out);
  made = omen_text_parse ("spinning", text, size, &err);
  OMEN_REQUIRE (made);
  free (text);
  OMEN_VEC_FINI (line);
  return made;
}
