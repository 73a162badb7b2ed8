/* Every logic against the definition of its operators, on random formulas and
   words: words_*.c judge a word without any automaton.

   - match, and ptltl's verdicts, at every prefix of the word;
   - fail: no continuation of a few letters is a match; no fail: the machine
   finds a continuation, and it is one;
   - ltl decides exactly when all continuations agree, and once.

     test_logics_campaign [COUNT [FIRST SEED]]

   Without COUNT: 3,000 formulas, or OMEN_CAMPAIGN=long: 300,000. */
#include "size.h"
#include "words.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

static const judge *const judges[]
    = { &judge_ere, &judge_cfg, &judge_ltl, &judge_ptltl, &judge_pattern };
#define JUDGES 5

typedef struct tally {
  uint64_t formulas, wrong, limits, checks;
  uint64_t yes[JUDGES], no[JUDGES];
} tally;

typedef struct subject {
  uint64_t seed;
  const judge *j;
  const char *text;
  const omen_formula *f;
  unsigned events;
  word w;
  tally *t;
  bool told;
} subject;

/* ---- telling ---- */

static void
complain (subject *s, const word *w, const char *what)
{
  if (!s->told)
    printf ("# seed %llu: %s\n%s# word:", (unsigned long long)s->seed, what,
            s->text);
  for (unsigned i = 0; !s->told && i < w->length; i++)
    printf (" e%u(T%u)", w->event[i], w->thread[i]);
  if (!s->told)
    printf ("\n");
  s->told = true;
}

static void
agree (subject *s, const word *w, bool seen, bool wanted, const char *what)
{
  s->t->checks++;
  if (seen != wanted)
    complain (s, w, what);
}

static bool
lands (const subject *s, const void *state, const char *category)
{
  const omen_machine *m = &s->f->machine;
  uint32_t verdict = m->engine->verdict (m, state);
  for (uint32_t c = 0; c < s->f->categories; c++)
    if (!strcmp (s->f->category[c], category))
      return verdict >> c & 1;
  return false;
}

/* ---- continuations ---- */

typedef struct found {
  bool yes, no;
} found;

/* What continuations of up to `more` letters say. */
static void
continuations (const subject *s, word *w, unsigned more, found *f)
{
  bool holds = s->j->holds (w);
  f->yes |= holds;
  f->no |= !holds;
  if (!more || w->length == WORD_MAX || (f->yes && f->no))
    return;
  w->length++;
  for (unsigned e = 0; e < s->events; e++) {
    w->event[w->length - 1] = (uint8_t)e;
    continuations (s, w, more - 1, f);
  }
  w->length--;
}

/* A shortest continuation to a match, by the machine's own steps; false: none
   among some hundred states. */
typedef struct path {
  void *state;
  word w;
} path;

#define PATHS 300

static bool
known (const omen_machine *m, const path *paths, size_t count,
       const void *state)
{
  for (size_t i = 0; i < count; i++)
    if (m->engine->hash (m, paths[i].state) == m->engine->hash (m, state)
        && m->engine->same (m, paths[i].state, state))
      return true;
  return false;
}

static bool
way_to_match (const subject *s, const void *from, word *w)
{
  const omen_machine *m = &s->f->machine;
  static path paths[PATHS];
  size_t count = 1;
  bool match = lands (s, from, "match");
  paths[0] = (path){ omen_alloc (m->engine->state_bytes (m)), *w };
  m->engine->copy (m, paths[0].state, from, &omen_heap);
  for (size_t i = 0; i < count && !match; i++)
    for (unsigned e = 0; e < s->events && count < PATHS && !match
                         && paths[i].w.length < WORD_MAX;
         e++) {
      path next = { omen_alloc (m->engine->state_bytes (m)), paths[i].w };
      omen_letter letter = { .event = e };
      m->engine->copy (m, next.state, paths[i].state, &omen_heap);
      m->engine->step (m, next.state, &letter, &omen_heap);
      next.w.event[next.w.length] = (uint8_t)e;
      next.w.thread[next.w.length++] = 0;
      match = lands (s, next.state, "match");
      if (match)
        *w = next.w;
      if (known (m, paths, count, next.state)) {
        m->engine->drop (m, next.state, &omen_heap);
        omen_free (next.state);
      } else
        paths[count++] = next;
    }
  for (size_t i = 0; i < count; i++) {
    m->engine->drop (m, paths[i].state, &omen_heap);
    omen_free (paths[i].state);
  }
  return match;
}

/* ---- judging ---- */

static void
check_matching (subject *s, const word *prefix, const void *state)
{
  bool fail = lands (s, state, "fail");
  word w = *prefix;
  found f = { false, false };
  agree (s, prefix, lands (s, state, "match"), s->j->holds (prefix), "match");
  agree (s, prefix, lands (s, state, "nonfail"), !fail, "nonfail");
  if (fail) {
    continuations (s, &w, 3, &f);
    agree (s, prefix, f.yes, false, "fail, but a match can follow");
  } else if (way_to_match (s, state, &w))
    agree (s, &w, s->j->holds (&w), true, "the machine's way to a match");
  else if (s->f->machine.engine == &omen_engine_table)
    complain (s, prefix, "neither fail nor a way to a match");
}

static void
check_deciding (subject *s, const word *prefix, const void *state,
                bool *decided)
{
  bool violation = lands (s, state, "violation");
  bool validation = lands (s, state, "validation");
  word w = *prefix;
  found f = { false, false };
  continuations (s, &w, 5, &f);
  if (*decided)
    agree (s, prefix, violation || validation, false, "decided twice");
  else {
    agree (s, prefix, violation, !f.yes, "violation");
    agree (s, prefix, validation, !f.no, "validation");
  }
  *decided |= violation || validation;
}

static void
check_word (subject *s, unsigned which)
{
  const omen_machine *m = &s->f->machine;
  void *state = omen_alloc (m->engine->state_bytes (m));
  bool decided = false;
  word prefix = s->w;
  m->engine->start (m, state);
  for (unsigned i = 0; i < s->w.length && !s->told; i++) {
    omen_letter letter = { .event = s->w.event[i], .thread = s->w.thread[i] };
    OMEN_REQUIRE (m->engine->step (m, state, &letter, &omen_heap));
    prefix.length = i + 1;
    if (s->j == &judge_ltl)
      check_deciding (s, &prefix, state, &decided);
    else if (s->j == &judge_pattern)
      agree (s, &prefix, lands (s, state, "match"), s->j->holds (&prefix),
             "match");
    else if (s->j == &judge_ptltl) {
      agree (s, &prefix, lands (s, state, "validation"), s->j->holds (&prefix),
             "validation");
      agree (s, &prefix, lands (s, state, "violation"), !s->j->holds (&prefix),
             "violation");
    } else
      check_matching (s, &prefix, state);
    if (s->j->holds (&prefix))
      s->t->yes[which]++;
    else
      s->t->no[which]++;
  }
  m->engine->drop (m, state, &omen_heap);
  omen_free (state);
}

static const char *
handlers (const judge *j)
{
  return j == &judge_pattern ? "@match {}"
         : j == &judge_ltl || j == &judge_ptltl
             ? "@violation {} @validation {}"
             : "@match {} @fail {} @nonfail {}";
}

static void
one_formula (uint64_t seed, tally *t)
{
  dice d = { seed };
  unsigned which = (unsigned)(seed % JUDGES);
  subject s = { .seed = seed, .j = judges[which], .t = t };
  omen_spec *spec;
  omen_compiled *c;
  page p = { .at = 0 };
  s.events = 2 + roll (&d, 2);
  page_put (&p, "property P { event e0; event e1; %s %s: ",
            s.events > 2 ? "event e2;" : "", s.j->name);
  s.j->make (&d, s.events, &p);
  page_put (&p, " %s }\n", handlers (s.j));
  s.text = p.text;
  c = random_compile (seed, &p, &spec);
  for (unsigned k = 0; c && k < 3 && !s.told; k++) {
    s.f = &c->properties[0].formula[0];
    s.w.length = 2 + roll (&d, 5);
    for (unsigned i = 0; i < WORD_MAX; i++) {
      s.w.event[i] = (uint8_t)roll (&d, s.events);
      s.w.thread[i] = (uint8_t)roll (&d, 2 + k);
    }
    check_word (&s, which);
  }
  t->limits += !c;
  t->formulas++;
  t->wrong += s.told;
  omen_compiled_free (c);
  omen_spec_free (spec);
}

int
main (int argc, char **argv)
{
  uint64_t first, count = campaign_size (argc, argv, 3000, 300000, &first);
  tally t = { 0 };
  bool enough = true;
  for (uint64_t i = 0; i < count && t.wrong + t.limits < ENOUGH; i++)
    one_formula (first + i, &t);
  printf ("# share %llu formulas, %llu checks; words that hold and do not:",
          (unsigned long long)t.formulas, (unsigned long long)t.checks);
  for (int i = 0; i < JUDGES; i++) {
    printf (" %s %llu/%llu", judges[i]->name, (unsigned long long)t.yes[i],
            (unsigned long long)t.no[i]);
    enough &= t.yes[i] * 20 > t.no[i] && t.no[i] * 20 > t.yes[i];
  }
  printf ("\n%s 1 - machines agree with the definitions on %llu formulas\n",
          t.wrong ? "not ok" : "ok", (unsigned long long)t.formulas);
  printf ("%s 2 - every formula compiles\n", t.limits ? "not ok" : "ok");
  printf ("%s 3 - words of both sorts are seen\n", enough ? "ok" : "not ok");
  printf ("%s 4 - no leak\n", omen_mem_live () ? "not ok" : "ok");
  return t.wrong || t.limits || !enough || omen_mem_live ();
}
