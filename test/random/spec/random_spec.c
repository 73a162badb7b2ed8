#include "words.h"

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

void
page_put (page *p, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  p->at += (size_t)vsnprintf (p->text + p->at, sizeof p->text - p->at, format,
                              args);
  va_end (args);
  OMEN_REQUIRE (p->at < sizeof p->text);
}

omen_compiled *
random_compile (uint64_t seed, const page *p, omen_spec **spec)
{
  omen_err err = { 0 };
  omen_compiled *compiled;
  *spec = omen_spec_parse ("random", p->text, p->at, &err);
  compiled = *spec ? omen_spec_compile (*spec, &err) : NULL;
  if (!compiled)
    printf ("# seed %llu: %s: %s\n%s", (unsigned long long)seed, err.where,
            err.what, p->text);
  return compiled;
}

typedef struct writer {
  random_spec *s;
  dice *d;
} writer;

#define put(w, ...) page_put (&(w)->s->page, __VA_ARGS__)

static void
event (writer *w)
{
  put (w, "e%u", roll (w->d, w->s->events));
}

/* ---- formulas that words_*.c do not have ---- */

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
  writer w = { s, d };
  bool grammar = roll (d, 2);
  *s = (random_spec){ .events = 4 };
  s->parameters = 3;
  s->logic = grammar ? 2 : 0;
  put (&w, "property P(int p0, int p1, int p2) {\n");
  mortal_events (&w);
  put (&w, grammar ? " cfg: N0 ->" : " ere:");
  few_words (&w);
  put (&w, "\n @match { }\n}\n");
}

/* By logic; their formulas are drawn and written by those who can judge them.
 */
static const judge *const judges[RANDOM_LOGICS] = {
  &judge_ere, NULL, &judge_cfg, &judge_ltl, &judge_ptltl, &judge_pattern
};

void
random_spec_make (random_spec *s, dice *d, unsigned logic)
{
  writer w = { s, d };
  bool suffix;
  *s = (random_spec){ .page = { .predicates = true } };
  s->events = 2 + roll (d, 3);
  s->parameters = roll (d, 4);
  s->logic = logic;
  suffix = head (&w, logic);
  events (&w);
  put (&w, " %s: ", random_logics[logic]);
  if (judges[logic])
    judges[logic]->make (d, s->events, &s->page);
  else
    fsm (&w);
  if (logic == 1 && suffix)
    put (&w, "\n @s1 { }");
  else
    handlers (&w, logic, suffix);
  put (&w, "\n}\n");
}
