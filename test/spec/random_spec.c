#include "random_spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const random_logics[RANDOM_LOGICS]
    = { "ere", "fsm", "cfg", "ltl", "ptltl", "pattern" };

unsigned
roll (dice *d, unsigned below)
{
  uint64_t z = d->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned)((z ^ z >> 31) >> 33) % below;
}

typedef struct writer {
  random_spec *s;
  dice *d;
  size_t at;
} writer;

static void __attribute__ ((format (printf, 2, 3)))
put (writer *w, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  w->at += (size_t)vsnprintf (w->s->text + w->at, sizeof w->s->text - w->at,
                              format, args);
  va_end (args);
  OMEN_REQUIRE (w->at < sizeof w->s->text);
}

static void
event (writer *w)
{
  put (w, "e%u", roll (w->d, w->s->events));
}

/* ---- formulas ---- */

static void
ere (writer *w, unsigned depth)
{
  static const char *const after[] = { "*", "+", "?", "^2", "", "" };
  unsigned what = depth ? roll (w->d, 8) : 0;
  switch (what) {
  case 1: case 2: case 3:
    ere (w, depth - 1);
    put (w, " ");
    ere (w, depth - 1);
    return;
  case 4: case 5:
    put (w, "(");
    ere (w, depth - 1);
    put (w, what == 4 ? " | " : " & ");
    ere (w, depth - 1);
    put (w, ")");
    return;
  case 6:
    put (w, "~(");
    ere (w, depth - 1);
    put (w, ")");
    return;
  case 7:
    put (w, "(");
    ere (w, depth - 1);
    put (w, ")%s", after[roll (w->d, 6)]);
    return;
  default:
    if (roll (w->d, 12) == 0)
      put (w, "epsilon");
    else
      event (w);
    put (w, "%s", after[roll (w->d, 6)]);
  }
}

/* A few short words: instances that need an event of theirs that others do not
   need, so that objects which die take some along and leave others. */
static void
few_words (writer *w)
{
  unsigned words = 2 + roll (w->d, 2);
  for (unsigned i = 0; i < words; i++) {
    unsigned length = 2 + roll (w->d, 2);
    put (w, i ? " |" : "");
    while (length--) {
      put (w, " ");
      event (w);
    }
  }
}

static void
fsm (writer *w)
{
  unsigned states = 2 + roll (w->d, 3);
  for (unsigned s = 0; s < states; s++) {
    const char *comma = "";
    put (w, " s%u [", s);
    for (unsigned e = 0; e < w->s->events; e++)
      if (roll (w->d, 3)) {
        put (w, "%s e%u -> s%u", comma, e, roll (w->d, states));
        comma = ",";
      }
    if (!roll (w->d, 4))
      put (w, "%s default s%u", comma, roll (w->d, states));
    put (w, " ]");
  }
  put (w, " alias some = s1, s0");
}

static void
cfg (writer *w)
{
  unsigned left = 1 + roll (w->d, 3);
  for (unsigned n = 0; n < left; n++) {
    unsigned rules = 1 + roll (w->d, 3);
    put (w, "%s N%u ->", n ? "," : "", n);
    for (unsigned r = 0; r < rules; r++) {
      unsigned length = roll (w->d, 4);
      put (w, r ? " |" : "");
      if (!length)
        put (w, " epsilon");
      for (unsigned i = 0; i < length; i++) {
        put (w, " ");
        if (roll (w->d, 3))
          event (w);
        else
          put (w, "N%u", roll (w->d, left));
      }
    }
  }
}

static void
temporal (writer *w, unsigned depth, bool future)
{
  static const char *const past[] = { "(*)", "<*>", "[*]" };
  static const char *const ahead[] = { "o", "<>", "[]" };
  static const char *const two[] = { "and", "or", "xor", "->", "<=>" };
  unsigned what = depth ? roll (w->d, 7) : 0;
  if (what == 0) {
    if (roll (w->d, 8) == 0)
      put (w, roll (w->d, 2) ? "x > 0" : "y == 1");
    else
      event (w);
    return;
  }
  put (w, "(");
  if (what == 1) {
    put (w, "not ");
    temporal (w, depth - 1, future);
  } else if (what <= 3) {
    bool back = !future || roll (w->d, 4) == 0;
    put (w, "%s ", back ? past[roll (w->d, 3)] : ahead[roll (w->d, 3)]);
    temporal (w, depth - 1, !back);
  } else if (what == 4) {
    bool back = !future || roll (w->d, 4) == 0;
    temporal (w, depth - 1, !back);
    put (w, back ? " S " : roll (w->d, 2) ? " U " : " R ");
    temporal (w, depth - 1, !back);
  } else if (what == 5 && !future) {
    put (w, "[");
    temporal (w, depth - 1, false);
    put (w, ", ");
    temporal (w, depth - 1, false);
    put (w, "}");
  } else {
    temporal (w, depth - 1, future);
    put (w, " %s ", two[roll (w->d, 5)]);
    temporal (w, depth - 1, future);
  }
  put (w, ")");
}

static void
step (writer *w)
{
  event (w);
  if (roll (w->d, 3))
    put (w, "(t%u)", 1 + roll (w->d, 2));
}

static void
sequence (writer *w)
{
  unsigned steps = 1 + roll (w->d, 3);
  bool region = roll (w->d, 4) == 0;
  if (region)
    put (w, "e0(t1,<r1) ");
  for (unsigned i = 0; i < steps; i++) {
    unsigned what = roll (w->d, 8);
    put (w, i ? " " : "");
    if (what == 0) {
      put (w, "!(");
      step (w);
      put (w, " ");
      step (w);
      put (w, ")");
    } else {
      step (w);
      if (what == 1) {
        put (w, " || ");
        step (w);
      } else if (what == 2)
        put (w, "%s", roll (w->d, 2) ? "*" : "?");
    }
  }
  if (region)
    put (w, " e1(t1,>r1)");
}

static void
pattern (writer *w)
{
  sequence (w);
  for (unsigned more = 0; more < 3 && !roll (w->d, 3); more++) {
    put (w, roll (w->d, 2) ? " or " : " and ");
    sequence (w);
  }
}

/* ---- the rest ---- */

static void
handlers (writer *w, unsigned logic, bool suffix)
{
  static const char *const names[RANDOM_LOGICS][4] = {
    { "match", "fail", "nonfail" }, { "s1", "fail", "some", "s0" },
    { "match", "fail", "nonfail" }, { "violation", "validation" },
    { "violation", "validation" },  { "match" },
  };
  static const unsigned counts[RANDOM_LOGICS] = { 3, 4, 3, 2, 2, 1 };
  for (unsigned i = 0; i < counts[logic]; i++) {
    bool plain = strcmp (names[logic][i], "fail")
                 && strcmp (names[logic][i], "nonfail");
    unsigned chance = strcmp (names[logic][i], "nonfail") ? 2 : 6;
    if ((i == 0 && !roll (w->d, 2)) || (i && roll (w->d, chance)))
      continue;
    if (plain || !suffix)
      put (w, "\n @%s { %s }", names[logic][i],
           roll (w->d, 4) ? "" : "__RESET;");
  }
}

static bool
head (writer *w, unsigned logic)
{
  bool suffix = logic < 3 && roll (w->d, 8) == 0;
  const char *comma = "";
  if (roll (w->d, 10) == 0)
    put (w, "full-binding ");
  if (roll (w->d, 10) == 0)
    put (w, "connected ");
  if (suffix)
    put (w, "suffix ");
  if (roll (w->d, 10) == 0)
    put (w, "perthread ");
  put (w, "property P(");
  for (unsigned p = 0; p < w->s->parameters; p++) {
    put (w, "%sint p%u", comma, p);
    comma = ", ";
  }
  put (w, ") {\n");
  return suffix;
}

static void
events (writer *w)
{
  bool marked = roll (w->d, 6) == 0;
  for (unsigned e = 0; e < w->s->events; e++) {
    const char *comma = "";
    put (w, "%s event e%u(", marked && roll (w->d, 2) ? " creation" : "", e);
    for (unsigned p = 0; p < w->s->parameters; p++)
      if (roll (w->d, 2)) {
        put (w, "%sp%u", comma, p);
        comma = ", ";
      }
    put (w, ");\n");
  }
}

/* Each pair of three parameters has an event that binds it, so that there are
   instances which agree in an object, and joins of them. */
static void
mortal_events (writer *w)
{
  unsigned first = roll (w->d, 3);
  for (unsigned e = 0; e < 3; e++)
    put (w, " event e%u(p%u, p%u);\n", e, (first + e) % 3, (first + e + 1) % 3);
  put (w, " event e3(p%u);\n", roll (w->d, 3));
}

void
random_spec_mortal (random_spec *s, dice *d)
{
  writer w = { s, d, 0 };
  bool grammar = roll (d, 2);
  s->events = 4;
  s->parameters = 3;
  s->logic = grammar ? 2 : 0;
  put (&w, "property P(int p0, int p1, int p2) {\n");
  mortal_events (&w);
  put (&w, grammar ? " cfg: N0 ->" : " ere:");
  few_words (&w);
  put (&w, "\n @match { }\n}\n");
}

void
random_spec_make (random_spec *s, dice *d, unsigned logic)
{
  writer w = { s, d, 0 };
  bool suffix;
  s->events = 2 + roll (d, 3);
  s->parameters = roll (d, 4);
  s->logic = logic;
  suffix = head (&w, logic);
  events (&w);
  put (&w, " %s: ", random_logics[logic]);
  if (logic == 0)
    ere (&w, 3);
  else if (logic == 1)
    fsm (&w);
  else if (logic == 2)
    cfg (&w);
  else if (logic < 5)
    temporal (&w, 3, logic == 3);
  else
    pattern (&w);
  if (logic == 1 && suffix)
    put (&w, "\n @s1 { }");
  else
    handlers (&w, logic, suffix);
  put (&w, "\n}\n");
}
