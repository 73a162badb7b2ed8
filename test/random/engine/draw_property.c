#include "draw_property.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct pen {
  oracle_random random;
  const omen_trace *trace;
  char *text;
  size_t used;
  unsigned events, parameters, regions;
  bool suffix, patterns;
} pen;

static void write_text (pen *p, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

static void
write_text (pen *p, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  if (p->used < DRAWN_MAX)
    p->used += (size_t)vsnprintf (p->text + p->used, DRAWN_MAX - p->used,
                                  format, args);
  va_end (args);
}

static unsigned
pick (pen *p, unsigned n)
{
  return oracle_below (&p->random, n);
}

/* A name of the trace that is a word, or NULL. */
static const char *
name_of (pen *p, omen_operand table)
{
  const omen_names *names = &p->trace->names[table];
  for (int tries = 0; names->count && tries < 8; tries++) {
    const char *name = names->names[pick (p, names->count)].text;
    bool word = isalpha ((unsigned char)*name);
    for (const char *c = name; *c; c++)
      word = word && (isalnum ((unsigned char)*c) || *c == '_');
    if (word)
      return name;
  }
  return NULL;
}

/* ---- events ---- */

/* One of the parameters, which are called a, b …, or a name that is none. */
static char
parameter (pen *p)
{
  return (char)('a' + pick (p, p->parameters + 1));
}

/* One of the accesses of the trace, by its variable. */
static void
access_event (pen *p)
{
  const omen_trace *trace = p->trace;
  const char *variable = "*";
  bool writes = pick (p, 2);
  for (int tries = 0; tries < 16; tries++) {
    omen_eid e = pick (p, (unsigned)trace->events.count);
    const omen_event *event = omen_trace_event (trace, e);
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS)
      continue;
    variable = omen_trace_variable_name (
        trace, trace->places.data[event->object].variable);
    writes = omen_kind_writes (event->kind);
    break;
  }
  write_text (p, "%s(%s)", writes ? "set" : "get",
              pick (p, 6) ? variable : "*");
  switch (pick (p, 8)) {
  case 0:
    write_text (p, " && thread(%c)", parameter (p));
    break;
  case 1:
    write_text (p, " && args(%c)", parameter (p));
    break;
  case 2:
    write_text (p, " && target(%c)", parameter (p));
    break;
  case 3:
    write_text (p, " && args(v) && if (v %s %u)",
                pick (p, 2) ? ">" : "==", pick (p, 3));
    break;
  default:
    break;
  }
}

/* An access of the thread right before the emit, or right after it. */
static const omen_event *
access_beside (const omen_trace *trace, omen_eid emit, bool behind)
{
  omen_tid t = omen_trace_event (trace, emit)->thread;
  uint32_t at = trace->index[emit];
  const omen_event *event;
  if (behind ? at + 1 == trace->threads.data[t].count : !at)
    return NULL;
  event = omen_trace_event (
      trace, omen_trace_nth (trace, t, behind ? at + 1 : at - 1));
  return omen_kind_class (event->kind) == OMEN_CLASS_ACCESS ? event : NULL;
}

/* What an emit of event i tells of, if the trace has one beside an access. */
static bool
told_access (const pen *p, unsigned i, char text[64])
{
  const omen_trace *trace = p->trace;
  char name[8];
  snprintf (name, sizeof name, "e%u", i);
  for (omen_eid e = 0; e < trace->events.count; e++) {
    const omen_event *emit = omen_trace_event (trace, e);
    if (emit->kind != OMEN_EMIT
        || strcmp (trace->names[OMEN_OPERAND_SIGNAL].names[emit->object].text,
                   name))
      continue;
    for (int behind = 0; behind < 2; behind++) {
      const omen_event *access = access_beside (trace, e, behind);
      if (!access || (behind && !omen_kind_writes (access->kind)))
        continue;
      snprintf (text, 64, "%s %s(%s)", behind ? "before" : "after",
                omen_kind_writes (access->kind) ? "set" : "get",
                omen_trace_variable_name (
                    trace, trace->places.data[access->object].variable));
      return true;
    }
  }
  return false;
}

/* Event i as one that emits tell of. */
static bool
told_event (pen *p, unsigned i)
{
  char text[64];
  if (!told_access (p, i, text) || !pick (p, 4))
    return false;
  write_text (p, "  event e%u %s;\n", i, text);
  return true;
}

static void
sync_event (pen *p)
{
  static const char *const kinds[]
      = { "acquire", "release", "fork", "join", "free", "alloc", "wake" };
  const char *lock = name_of (p, OMEN_OPERAND_LOCK);
  unsigned kind = pick (p, OMEN_COUNT (kinds));
  if (kind < 2 && lock && pick (p, 2))
    write_text (p, "%s(\"%s\")", kinds[kind], lock);
  else
    write_text (p, "%s(%c)", kinds[kind], parameter (p));
  if (!pick (p, 4))
    write_text (p, " && thread(%c)", parameter (p));
}

static void
write_events (pen *p)
{
  p->events = 2 + pick (p, 3);
  for (unsigned i = 0; i < p->events; i++) {
    const char *signal = name_of (p, OMEN_OPERAND_SIGNAL);
    if (told_event (p, i))
      continue;
    write_text (p, "  %sevent ", pick (p, 12) ? "" : "creation ");
    if (signal && !pick (p, 4) && !i) {
      write_text (p, "e0;\n"); /* emitted, if the name fits */
      continue;
    }
    write_text (p, "e%u %s ", i, pick (p, 2) ? "before" : "after");
    if (pick (p, 4))
      access_event (p);
    else
      sync_event (p);
    write_text (p, ";\n");
  }
}

/* For patterns, where an event that is several of the property is the
   exception: each event another variable or another way to access it. */
static void
write_distinct (pen *p)
{
  char seen[8][64];
  unsigned kinds = 0, wanted = 3 + pick (p, 2);
  for (unsigned tries = 0; tries < 40 && kinds < wanted; tries++) {
    const omen_event *event = omen_trace_event (
        p->trace, pick (p, (unsigned)p->trace->events.count));
    const char *how = omen_kind_writes (event->kind) ? "set" : "get", *what;
    bool known = false;
    if (told_event (p, kinds)) {
      seen[kinds++][0] = 0;
      continue;
    }
    if (omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK && pick (p, 2)) {
      how = event->kind == OMEN_ACQUIRE ? "acquire" : "release";
      what = p->trace->names[OMEN_OPERAND_LOCK].names[event->object].text;
    } else if (omen_kind_operand (event->kind) == OMEN_OPERAND_PLACE)
      what = omen_trace_variable_name (
          p->trace, p->trace->places.data[event->object].variable);
    else
      continue;
    snprintf (seen[kinds], sizeof seen[0],
              *how == 'a' || *how == 'r' ? "%s(\"%s\")" : "%s(%s)", how, what);
    for (unsigned i = 0; i < kinds; i++)
      known |= !strcmp (seen[i], seen[kinds]);
    if (known)
      continue;
    write_text (p, "  event e%u before %s", kinds, seen[kinds]);
    if (!pick (p, 6))
      write_text (p, " && %s(%c)", pick (p, 2) ? "thread" : "target",
                  parameter (p));
    write_text (p, ";\n");
    kinds++;
  }
  for (; kinds < 2; kinds++)
    write_text (p, "  event e%u;\n", kinds);
  p->events = kinds;
}

/* ---- formulas ---- */

static void
regular (pen *p, int depth)
{
  unsigned what = depth ? pick (p, 9) : 0;
  if (what < 2) {
    write_text (p, "e%u", pick (p, p->events));
    return;
  }
  write_text (p, what == 8 ? "~(" : "(");
  regular (p, depth - 1);
  if (what < 6) {
    write_text (p, what < 4 ? " " : what == 4 ? " | " : " & ");
    regular (p, depth - 1);
  }
  write_text (p, what == 6 ? ")*" : what == 7 ? ")+" : ")");
}

static void
temporal (pen *p, bool past, int depth)
{
  static const char *const future[] = { "[]", "<>", "o" };
  static const char *const before[] = { "[*]", "<*>", "(*)", "(.)" };
  const char *variable = name_of (p, OMEN_OPERAND_VARIABLE);
  unsigned what = depth ? pick (p, 8) : 0;
  if (what == 0) {
    if (variable && !pick (p, 5))
      write_text (p, "(%s %s %u)", variable,
                  pick (p, 2) ? ">" : "==", pick (p, 3));
    else
      write_text (p, "e%u", pick (p, p->events));
    return;
  }
  write_text (p, "(");
  if (what < 4)
    write_text (p, "%s ", past ? before[pick (p, 4)] : future[pick (p, 3)]);
  if (what == 4)
    write_text (p, "not ");
  temporal (p, past, depth - 1);
  if (what > 4) {
    static const char *const both[] = { "and", "or", "=>" };
    write_text (p, " %s ", what == 7 ? (past ? "S" : "U") : both[pick (p, 3)]);
    temporal (p, past, depth - 1);
  }
  write_text (p, ")");
}

static void
machine (pen *p)
{
  unsigned states = 2 + pick (p, 3);
  for (unsigned s = 0; s < states; s++) {
    bool first = true;
    write_text (p, "s%u [ ", s);
    for (unsigned e = 0; e < p->events; e++)
      if (pick (p, 3)) {
        write_text (p, "%se%u -> s%u", first ? "" : ", ", e, pick (p, states));
        first = false;
      }
    write_text (p, " ] ");
  }
}

static void
grammar (pen *p)
{
  unsigned a = pick (p, p->events), b = pick (p, p->events);
  unsigned c = pick (p, p->events);
  switch (pick (p, 3)) {
  case 0:
    write_text (p, "S -> e%u S e%u | e%u", a, b, c);
    break;
  case 1:
    write_text (p, "S -> S A | epsilon, A -> e%u A e%u | e%u", a, b, c);
    break;
  default:
    write_text (p, "S -> S S | e%u S e%u | epsilon", a, b);
    break;
  }
}

/* ---- patterns ---- */

/* A step, by a thread or not. */
static void
pattern_step (pen *p)
{
  write_text (p, "e%u", pick (p, p->events));
  if (pick (p, 3))
    write_text (p, "(t%u)", 1 + pick (p, 2));
}

static void pattern_sequence (pen *p, int depth);

static void
pattern_item (pen *p, int depth)
{
  static const char *const quantifiers[] = { "", "", "", "*", "+", "?" };
  switch (depth ? pick (p, 9) : pick (p, 4)) {
  case 0:
    pattern_step (p);
    write_text (p, " || ");
    pattern_step (p);
    return;
  case 4:
    write_text (p, "!(");
    for (unsigned n = 2 + pick (p, 2); n; n--) {
      pattern_step (p);
      write_text (p, n > 1 ? " " : ")");
    }
    return;
  case 5:
    p->regions++;
    write_text (p, "e%u(t1,<r%u) ", pick (p, p->events), p->regions);
    pattern_sequence (p, 0);
    if (pick (p, 8))
      write_text (p, " e%u(t1,>r%u)", pick (p, p->events), p->regions);
    return;
  case 6:
    write_text (p, "(");
    pattern_sequence (p, depth - 1);
    write_text (p, " or ");
    pattern_sequence (p, depth - 1);
    write_text (p, ")");
    break;
  default:
    pattern_step (p);
    break;
  }
  write_text (p, "%s", quantifiers[pick (p, OMEN_COUNT (quantifiers))]);
}

static void
pattern_sequence (pen *p, int depth)
{
  unsigned length = 1 + pick (p, 3);
  for (unsigned i = 0; i < length; i++) {
    write_text (p, i ? " " : "");
    pattern_item (p, depth);
  }
}

/* What patterns are for: a few steps of two threads that alternate, perhaps in
   a region of the first. */
static void
pattern_crossing (pen *p)
{
  unsigned length = 2 + pick (p, 3), region = pick (p, 2);
  if (region)
    write_text (p, "e%u(t1,<r) ", pick (p, p->events));
  for (unsigned i = 0; i < length; i++)
    write_text (p, "e%u(t%u)%s", pick (p, p->events),
                pick (p, 5) ? 1 + i % 2 : 1 + pick (p, 2),
                i + 1 < length ? " " : "");
  if (region)
    write_text (p, " e%u(t1,>r)", pick (p, p->events));
}

static void
pattern (pen *p)
{
  p->regions = 0;
  if (pick (p, 2)) {
    pattern_crossing (p);
    return;
  }
  pattern_sequence (p, 1);
  for (unsigned more = pick (p, 8); more < 2; more++) {
    write_text (p, more ? " or " : " and ");
    pattern_sequence (p, 1);
  }
}

static void
handlers (pen *p, const char *first, const char *second)
{
  static const char *const code[] = { "{ }", "{ __RESET; }" };
  unsigned which = second ? pick (p, 4) : 1;
  if (which != 0)
    write_text (p, "\n  @%s %s", first, code[pick (p, 2)]);
  if (which == 0 || which == 3)
    write_text (p, "\n  @%s %s", second, code[pick (p, 2)]);
}

static void
write_formula (pen *p)
{
  static const char *const states[] = { "s0", "s1" };
  unsigned logic = p->patterns ? 10 : p->suffix ? 0 : pick (p, 10);
  if (logic < 4) {
    write_text (p, "  ere: ");
    regular (p, 3);
    handlers (p, "match", p->suffix ? NULL : "fail");
  } else if (logic < 6) {
    write_text (p, "  ltl: ");
    temporal (p, false, 3);
    handlers (p, "violation", "validation");
  } else if (logic < 8) {
    write_text (p, "  ptltl: ");
    temporal (p, true, 3);
    handlers (p, "violation", "validation");
  } else if (logic < 9) {
    write_text (p, "  fsm: ");
    machine (p);
    handlers (p, "fail", states[pick (p, 2)]);
  } else if (logic == 10) {
    write_text (p, "  pattern: ");
    pattern (p);
    handlers (p, "match", NULL);
  } else {
    write_text (p, "  cfg: ");
    grammar (p);
    handlers (p, "match", "fail");
  }
  write_text (p, "\n");
}

void
draw_property (const omen_trace *trace, uint64_t seed, char text[DRAWN_MAX])
{
  static const char *const modifiers[] = {
    "", "", "", "", "full-binding ", "connected ", "suffix ", "perthread "
  };
  pen p = { .random = { seed * 31 + 7 }, .trace = trace, .text = text };
  unsigned modifier = pick (&p, OMEN_COUNT (modifiers));
  p.parameters = pick (&p, 3);
  p.patterns = seed % 2;
  p.suffix = modifier == 6;
  text[0] = 0;
  write_text (&p, "%sproperty P(", modifiers[modifier]);
  for (unsigned i = 0; i < p.parameters; i++)
    write_text (&p, "%sint %c", i ? ", " : "", 'a' + (int)i);
  write_text (&p, ") {\n");
  if (p.patterns && pick (&p, 4))
    write_distinct (&p);
  else
    write_events (&p);
  write_formula (&p);
  write_text (&p, "}\n");
}
