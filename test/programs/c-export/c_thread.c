/* Statements into functions: one for each thread, one for each function that
   is entered. A function that is entered more than once has a case for each
   call, since each call of the trace does what it did there and then:

     T1|enter(f)|f.c:3     omen_turn (0); f (0); omen_next (2);
     T1|w(x)|f.c:4         f, case 0: omen_next (0);
     T1|exit(f)|f.c:5                 omen_turn (1); x = 0; omen_next (1);
                                      omen_turn (2);  */
#include "c_writer.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct frame {
  uint32_t function; /* OMEN_NONE: the thread's own */
  uint32_t call;
  omen_line text;
} frame;

typedef struct walk {
  omen_c *c;
  OMEN_VEC (frame) frames;
  omen_ids blocks; /* open atomic blocks, innermost last */
} walk;

/* ---- text ---- */

void
omen_c_say (omen_line *line, const char *format, ...)
{
  va_list args;
  int length;
  va_start (args, format);
  length = vsnprintf (NULL, 0, format, args);
  va_end (args);
  OMEN_ASSERT (length >= 0);
  OMEN_VEC_RESERVE (*line, line->count + (size_t)length + 1);
  va_start (args, format);
  vsnprintf (line->data + line->count, (size_t)length + 1, format, args);
  va_end (args);
  line->count += (size_t)length;
}

void
omen_c_append (omen_line *line, const omen_line *more)
{
  if (!more->count)
    return;
  OMEN_VEC_RESERVE (*line, line->count + more->count);
  memcpy (line->data + line->count, more->data, more->count);
  line->count += more->count;
}

void
omen_c_quote (omen_line *line, const char *text, size_t length)
{
  omen_c_say (line, "\"");
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\')
      omen_c_say (line, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f || c == '?')
      omen_c_say (line, "\\%03o", c);
    else
      OMEN_VEC_PUSH (*line, (char)c);
  }
  omen_c_say (line, "\"");
}

/* Text that does not end the comment it stands in, at most 100 bytes of it. */
static void
say_in_comment (omen_line *line, const char *text)
{
  for (size_t i = 0; text[i] && i < 100; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < 0x20 || c >= 0x7f)
      omen_c_say (line, "\\x%02x", c);
    else
      omen_c_say (line, "%c%s", c,
                  (c == '*' && text[i + 1] == '/')
                          || (c == '/' && text[i + 1] == '*')
                      ? " "
                      : "");
  }
}

/* `file:line` or `file:line:column`: the length of the file, and the line. */
static size_t
file_and_line (const char *text, long *line)
{
  size_t end = strlen (text);
  for (int tries = 0; tries < 2; tries++) {
    size_t digits = end;
    while (digits && text[digits - 1] >= '0' && text[digits - 1] <= '9')
      digits--;
    if (digits < 2 || digits == end || text[digits - 1] != ':')
      break;
    *line = end - digits < 10 ? strtol (text + digits, NULL, 10) : 0;
    end = digits - 1;
  }
  return end < strlen (text) && *line > 0 && *line <= INT_MAX ? end : 0;
}

void
omen_c_location (const omen_c *c, omen_line *line, uint32_t location,
                 omen_eid e)
{
  const omen_name *name = &c->trace->locations.names[location];
  long number = 0;
  size_t file = file_and_line (name->text, &number);
  omen_c_say (line, "\n#line ");
  if (file) {
    omen_c_say (line, "%ld ", number);
    omen_c_quote (line, name->text, file);
  } else if (name->length) {
    omen_c_say (line, "1 ");
    omen_c_quote (line, name->text, name->length);
  } else
    omen_c_say (line, "%u \"event\"", e + 1 <= INT_MAX ? e + 1 : 1);
  omen_c_say (line, "\n");
}

static const char *
reason (unsigned act)
{
  static const char *const reasons[]
      = { [OMEN_C_DO] = "",
          [OMEN_C_NESTED] = ": counts depth only",
          [OMEN_C_BUSY] = ": left out, it would block for good",
          [OMEN_C_UNHELD] = ": left out, there is nothing to release",
          [OMEN_C_SUCCEED] = ": left out, it would not fail",
          [OMEN_C_AGAIN] = ": left out, joined before",
          [OMEN_C_USED] = ": not freed, it is used later",
          [OMEN_C_OPEN] = ": left out, it was not begun",
          [OMEN_C_EARLY] = ": left out, the block was in use before" };
  OMEN_ASSERT (act < OMEN_COUNT (reasons));
  return reasons[act];
}

static void
say_event (const omen_c *c, omen_line *line, omen_eid e)
{
  char name[OMEN_EVENT_NAME_MAX], operation[200];
  omen_text_operation (c->trace, e, operation, sizeof operation);
  omen_trace_event_name (c->trace, e, name);
  omen_c_say (line, " /* ");
  say_in_comment (line, name);
  omen_c_say (line, " ");
  say_in_comment (line, operation);
  omen_c_say (line, "%s */", reason (c->steps[e].act));
}

/* ---- functions ---- */

static omen_line *
here (walk *w)
{
  return &OMEN_VEC_LAST (w->frames).text;
}

static void
push (walk *w, uint32_t function, uint32_t call)
{
  OMEN_VEC_PUSH (w->frames, ((frame){ function, call, { 0 } }));
}

/* The text of a call that is over becomes a case of its function. */
static void
pop (walk *w)
{
  frame done = OMEN_VEC_POP (w->frames);
  OMEN_ASSERT (w->frames.count && done.function != OMEN_NONE);
  omen_c_function *function = &w->c->functions[done.function];
  omen_c_say (&function->cases, "  case %u:", done.call);
  omen_c_append (&function->cases, &done.text);
  omen_c_say (&function->cases, "\n    break;\n");
  OMEN_VEC_FINI (done.text);
}

static void
enter (walk *w, omen_eid e, const omen_event *event)
{
  omen_c *c = w->c;
  omen_c_function *function = &c->functions[event->object];
  uint32_t call = function->calls++;
  if (!call)
    function->first = e;
  omen_c_turn (c, here (w), e);
  omen_c_say (here (w), "%s (%u); ",
              omen_c_text (c, OMEN_OPERAND_FUNCTION, event->object), call);
  say_event (c, here (w), e);
  push (w, event->object, call);
  omen_c_location (c, here (w), event->location, e);
  omen_c_say (here (w), "    ");
  omen_c_pass (c, here (w), e);
}

/* Ends the innermost call of the function, and those it did not return from. */
static void
leave (walk *w, omen_eid e, const omen_event *event)
{
  omen_c *c = w->c;
  size_t i = w->frames.count;
  while (i > 0 && w->frames.data[i - 1].function != event->object)
    i--;
  if (!i) {
    c->steps[e].act = OMEN_C_OPEN;
    omen_c_turn (c, here (w), e);
    omen_c_pass (c, here (w), e);
    say_event (c, here (w), e);
    return;
  }
  while (w->frames.count > i)
    pop (w);
  omen_c_turn (c, here (w), e);
  pop (w);
  omen_c_location (c, here (w), event->location, e);
  omen_c_say (here (w), "    ");
  omen_c_pass (c, here (w), e);
  say_event (c, here (w), e);
}

/* ---- events that no rule speaks of ---- */

static void
block (walk *w, omen_eid e, const omen_event *event)
{
  omen_c *c = w->c;
  const omen_name *name
      = &c->trace->names[OMEN_OPERAND_BLOCK].names[event->object];
  bool end = event->kind == OMEN_END;
  size_t i = w->blocks.count;
  if (end) {
    while (i > 0 && w->blocks.data[i - 1] != event->object)
      i--;
    if (!i)
      c->steps[e].act = OMEN_C_OPEN;
    else
      memmove (&w->blocks.data[i - 1], &w->blocks.data[i],
               (w->blocks.count-- - i) * sizeof *w->blocks.data);
  } else
    OMEN_VEC_PUSH (w->blocks, event->object);
  omen_c_turn (c, here (w), e);
  if (c->steps[e].act == OMEN_C_DO) {
    omen_c_say (here (w), "OMEN_ATOMIC_%s (", end ? "END" : "BEGIN");
    omen_c_quote (here (w), name->text, name->length);
    omen_c_say (here (w), "); ");
  }
  omen_c_pass (c, here (w), e);
}

static void
emit (walk *w, omen_eid e, const omen_event *event)
{
  omen_c *c = w->c;
  const omen_trace *trace = c->trace;
  const omen_emit *emit = &trace->emits.data[event->value];
  const omen_name *name
      = &trace->names[OMEN_OPERAND_SIGNAL].names[event->object];
  uint32_t count = emit->count < 8 ? emit->count : 8; /* omen.h takes these */
  omen_line arguments = { 0 };
  omen_c_turn (c, here (w), e);
  omen_c_say (here (w), "{ ");
  omen_c_local (&arguments, name->text, name->length);
  for (uint32_t i = emit->first; i < emit->first + count; i++) {
    const omen_emit_arg *arg = &trace->emit_args.data[i];
    const omen_name *key = &trace->strings.names[arg->key];
    size_t start = arguments.count + 2;
    omen_c_say (&arguments, ", ");
    omen_c_local (&arguments, key->text, key->length);
    for (uint32_t k = emit->first; k < i; k++)
      if (trace->emit_args.data[k].key == arg->key) {
        omen_c_say (&arguments, "_%u", i - emit->first);
        break;
      }
    omen_c_say (here (w), "__attribute__ ((unused)) int64_t %s = ",
                arguments.data + start);
    omen_c_constant (c, here (w), arg->value_kind, arg->value, 8);
    omen_c_say (here (w), "; ");
  }
  omen_c_say (here (w), "OMEN_EVENT (%s); } ", arguments.data);
  omen_c_pass (c, here (w), e);
  OMEN_VEC_FINI (arguments);
}

/* ---- threads ---- */

static void
statement (walk *w, omen_eid e)
{
  omen_c *c = w->c;
  const omen_event *event = omen_trace_event (c->trace, e);
  omen_c_location (c, here (w), event->location, e);
  omen_c_say (here (w), "    ");
  switch (event->kind) {
  case OMEN_ENTER:
    enter (w, e, event);
    return;
  case OMEN_EXIT:
    leave (w, e, event);
    return;
  case OMEN_BEGIN:
  case OMEN_END:
    block (w, e, event);
    break;
  case OMEN_EMIT:
    emit (w, e, event);
    break;
  case OMEN_BRANCH:
    omen_c_turn (c, here (w), e);
    omen_c_say (here (w), "OMEN_BRANCH (omen_got); ");
    omen_c_pass (c, here (w), e);
    break;
  case OMEN_SEM_REQUEST: /* what a thread waits for, and its end, are no calls */
  case OMEN_JOIN_REQUEST:
  case OMEN_ENDED:
    omen_c_turn (c, here (w), e);
    omen_c_pass (c, here (w), e);
    break;
  default:
    if (omen_kind_class (event->kind) == OMEN_CLASS_SYNC
        || event->kind == OMEN_DESTROY) {
      omen_c_sync (c, here (w), e);
      break;
    }
    omen_c_turn (c, here (w), e);
    omen_c_access (c, here (w), e);
    omen_c_pass (c, here (w), e);
  }
  say_event (c, here (w), e);
}

static void
say_thread (walk *w, omen_tid t)
{
  omen_c *c = w->c;
  omen_line *out = &c->bodies, text;
  push (w, OMEN_NONE, 0);
  for (uint32_t i = 0; i < c->trace->threads.data[t].count; i++)
    statement (w, omen_trace_nth (c->trace, t, i));
  while (w->frames.count > 1)
    pop (w);
  OMEN_ASSERT (w->frames.data[0].function == OMEN_NONE);
  text = OMEN_VEC_POP (w->frames).text;
  omen_c_say (
      out,
      "\n#line 1 \"thread\"\nstatic void *\nomen_run_%s (void *omen_unused)\n"
      "{\n    OMEN_LOCALS;\n",
      omen_c_text (c, OMEN_OPERAND_THREAD, t));
  omen_c_append (out, &text);
  omen_c_say (out, "\n    return omen_unused;\n}\n");
  OMEN_VEC_FINI (text);
  OMEN_VEC_CLEAR (w->blocks);
}

void
omen_c_bodies (omen_c *c)
{
  walk w = { .c = c };
  c->functions = omen_zalloc (c->trace->names[OMEN_OPERAND_FUNCTION].count,
                              sizeof *c->functions);
  for (omen_tid t = 0; t < c->trace->threads.count; t++)
    say_thread (&w, t);
  OMEN_VEC_FINI (w.frames);
  OMEN_VEC_FINI (w.blocks);
}

void
omen_c_bodies_fini (omen_c *c)
{
  if (c->functions)
    for (uint32_t f = 0; f < c->trace->names[OMEN_OPERAND_FUNCTION].count; f++)
      OMEN_VEC_FINI (c->functions[f].cases);
  omen_free (c->functions);
  OMEN_VEC_FINI (c->bodies);
}
