/* TRUSTED. Verdicts on slices, by their definition. */
#include "witness/judge_logic.h"

#include <string.h>

bool
omen_judging_works (omen_judging *j, uint64_t steps)
{
  j->work += steps;
  if (j->work > OMEN_JUDGE_WORK && !j->beyond)
    j->beyond = "deciding the formula by its definition takes too long";
  return !j->beyond;
}

bool
omen_judging_has_goal (const omen_judging *j, const char *category)
{
  for (uint32_t c = 0; c < j->formula->categories; c++)
    if (!strcmp (j->formula->category[c], category))
      return true;
  return false;
}

/* ---- automata ---- */

bool
omen_judging_reaches (const omen_judging_automaton *a, uint32_t state)
{
  omen_map seen;
  omen_ids todo = { 0 };
  bool found = false;
  omen_map_init (&seen);
  OMEN_VEC_PUSH (todo, state);
  *omen_map_at (&seen, state) = 0;
  for (size_t i = 0; i < todo.count && !found && !a->j->beyond; i++) {
    found = a->verdict (a->j, todo.data[i]) != 0;
    for (uint32_t l = 0; !found && l < a->letters; l++) {
      uint32_t to = a->step (a->j, todo.data[i], l);
      uint32_t *slot = omen_map_at (&seen, to);
      if (*slot == OMEN_NONE) {
        *slot = 0;
        OMEN_VEC_PUSH (todo, to);
      }
      omen_judging_works (a->j, 1);
    }
  }
  OMEN_VEC_FINI (todo);
  omen_map_fini (&seen);
  return found;
}

bool
omen_judging_differ (const omen_judging_automaton *a, uint32_t one,
                     uint32_t other)
{
  omen_map seen;
  OMEN_VEC (uint64_t) todo = { 0 };
  bool differ = false;
  omen_map_init (&seen);
  OMEN_VEC_PUSH (todo, OMEN_PAIR (one, other));
  *omen_map_at (&seen, todo.data[0]) = 0;
  for (size_t i = 0; i < todo.count && !differ && !a->j->beyond; i++)
    for (uint32_t l = 0; !differ && l < a->letters; l++) {
      uint32_t x = a->step (a->j, (uint32_t)(todo.data[i] >> 32), l);
      uint32_t y = a->step (a->j, (uint32_t)todo.data[i], l), *slot;
      if (!omen_judging_works (a->j, 1))
        break;
      differ = a->verdict (a->j, x) != a->verdict (a->j, y);
      slot = omen_map_at (&seen, OMEN_PAIR (x, y));
      if (x == y || *slot != OMEN_NONE)
        continue;
      *slot = 0;
      OMEN_VEC_PUSH (todo, OMEN_PAIR (x, y));
    }
  OMEN_VEC_FINI (todo);
  omen_map_fini (&seen);
  return differ;
}

/* ---- the formula ---- */

static const omen_judging_logic *
logic_of (const omen_formula *formula)
{
  static const omen_judging_logic *const all[]
      = { &omen_judging_ere, &omen_judging_fsm,   &omen_judging_cfg,
          &omen_judging_ltl, &omen_judging_ptltl, &omen_judging_pattern };
  for (size_t i = 0; i < OMEN_COUNT (all); i++)
    if (!strcmp (all[i]->name, formula->logic))
      return all[i];
  return NULL;
}

/* C code has neither nodes nor names; an fsm without transitions has names. */
static bool
is_code (const omen_written_formula *written)
{
  return !written->count && !written->name_count;
}

/* NULL, with j->beyond, if it cannot be judged. */
static const omen_judging_logic *
begin_judging (omen_judging *j, const omen_property *property,
               const omen_written *written, uint32_t formula)
{
  const omen_judging_logic *logic;
  *j = (omen_judging){ .property = property,
                       .formula = &property->formula[formula],
                       .written = &written->formulas[formula],
                       .events = property->events,
                       .predicates = property->predicates };
  logic = logic_of (j->formula);
  if (!logic || is_code (j->written)) {
    j->beyond = "the formula is C code, which only a run of it can judge";
    return NULL;
  }
  logic->begin (j);
  return logic;
}

/* Writes to watched variables are steps of formulas that have state predicates;
   such writes are the last event of the property. */
uint64_t
omen_formula_listens (const omen_property *property,
                      const omen_written *written, uint32_t formula)
{
  const omen_written_formula *w = &written->formulas[formula];
  uint64_t all = property->events == 64 ? UINT64_MAX
                                        : ((uint64_t)1 << property->events) - 1;
  if (!property->predicates || is_code (w))
    return all;
  for (uint32_t i = 0; i < w->count; i++)
    if (w->nodes[i].kind == OMEN_W_PREDICATE)
      return all;
  return all & ~((uint64_t)1 << (property->events - 1));
}

static uint64_t
creation_of (omen_judging *j, const omen_judging_logic *logic, uint64_t marked)
{
  if (marked)
    return marked;
  if (j->property->modifiers & OMEN_SUFFIX)
    return UINT64_MAX; /* each starts another attempt */
  if (omen_judging_has_goal (j, "fail") || omen_judging_has_goal (j, "nonfail"))
    return UINT64_MAX;
  return logic->creation (j);
}

uint64_t
omen_formula_creation (const omen_property *property,
                       const omen_written *written, uint32_t formula,
                       const char **why)
{
  omen_judging j;
  const omen_judging_logic *logic
      = begin_judging (&j, property, written, formula);
  uint64_t set = 0;
  if (logic && !j.beyond)
    set = creation_of (&j, logic, written->marked)
          & omen_formula_listens (property, written, formula);
  if (logic)
    logic->end (&j);
  *why = j.beyond;
  return set;
}

/* ---- one instance ---- */

typedef struct instance {
  omen_judging *j;
  const omen_judging_logic *logic;
  uint64_t creation;
  uint32_t category, bound, may_reset;
  const omen_judged_letter *slice;
  size_t count;
  uint32_t objects[OMEN_PARAMETERS_MAX];
  bool undecided; /* C code of a handler decides whether it starts anew */
} instance;

static uint32_t
letter_binds (const instance *at, const omen_judged_letter *l)
{
  return at->j->property->event[l->letter.event].binds;
}

static bool
belongs (const instance *at, const omen_judged_letter *l)
{
  uint32_t set = letter_binds (at, l);
  if (set & ~at->bound)
    return false;
  for (uint32_t p = 0; p < at->j->property->parameters; p++)
    if (set >> p & 1 && l->objects[p] != at->objects[p])
      return false;
  return true;
}

/* Do events that bind several parameters connect all of these? */
static bool
is_connected (const instance *at, const omen_ids *sets, uint32_t bound)
{
  uint32_t part = bound & (0 - bound);
  bool grew = true;
  (void)at;
  while (grew) {
    grew = false;
    for (size_t i = 0; i < sets->count; i++)
      if (sets->data[i] & part && sets->data[i] & ~part) {
        part |= sets->data[i];
        grew = true;
      }
  }
  return part == bound;
}

static bool
may_report (const instance *at, const omen_ids *sets, uint32_t bound)
{
  const omen_property *p = at->j->property;
  if (p->modifiers & OMEN_FULL_BINDING && bound != (1u << p->parameters) - 1)
    return false;
  return !(p->modifiers & OMEN_CONNECTED) || is_connected (at, sets, bound);
}

static bool
instance_lands (instance *at, const omen_letter *word, size_t count,
                const char *name)
{
  bool suffix = at->j->property->modifiers & OMEN_SUFFIX;
  for (size_t i = 0; i < (suffix ? count : 1); i++)
    if (at->logic->lands (at->j, word + i, count - i, name))
      return true;
  return false;
}

/* The categories that the word is in, of those asked for. */
static uint32_t
categories_of (instance *at, const omen_letter *word, size_t count,
               uint32_t asked)
{
  uint32_t set = 0;
  for (uint32_t c = 0; c < at->j->formula->categories; c++)
    if (asked >> c & 1
        && instance_lands (at, word, count, at->j->formula->category[c]))
      set |= 1u << c;
  return set;
}

/* Does the instance reach the category at one of the last letters? */
static bool
run_instance (instance *at)
{
  uint32_t resets = at->j->formula->resets, bound = 0;
  OMEN_VEC (omen_letter) word = { 0 };
  omen_ids sets = { 0 };
  bool begun = false, yes = false;
  for (size_t i = 0; i < at->count && !yes && !at->j->beyond; i++) {
    const omen_judged_letter *l = &at->slice[i];
    uint32_t asked = resets | (l->last ? 1u << at->category : 0), found;
    if (!belongs (at, l))
      continue;
    begun |= at->creation >> l->letter.event & 1;
    if (!begun)
      continue;
    OMEN_VEC_PUSH (word, l->letter);
    OMEN_VEC_PUSH (sets, letter_binds (at, l));
    bound |= letter_binds (at, l);
    if (!asked || !may_report (at, &sets, bound))
      continue;
    found = categories_of (at, word.data, word.count, asked);
    yes = l->last && bound == at->bound && found >> at->category & 1;
    if (yes || !(found & resets))
      continue;
    at->undecided |= (found & at->may_reset) != 0;
    OMEN_VEC_CLEAR (word);
  }
  OMEN_VEC_FINI (word);
  OMEN_VEC_FINI (sets);
  return yes;
}

/* For each choice of objects for the parameters from this one on, of those that
   letters of the slice have. */
static bool
run_all (instance *at, uint32_t parameter)
{
  omen_ids tried = { 0 };
  bool yes = false;
  if (parameter == at->j->property->parameters)
    return run_instance (at);
  if (!(at->bound >> parameter & 1))
    return run_all (at, parameter + 1);
  for (size_t i = 0; i < at->count && !yes && !at->j->beyond; i++) {
    bool new = letter_binds (at, &at->slice[i]) >> parameter & 1;
    uint32_t object = at->slice[i].objects[parameter];
    for (size_t k = 0; k < tried.count; k++)
      new &= tried.data[k] != object;
    if (!new)
      continue;
    OMEN_VEC_PUSH (tried, object);
    at->objects[parameter] = object;
    yes = run_all (at, parameter + 1);
  }
  OMEN_VEC_FINI (tried);
  return yes;
}

omen_formula_answer
omen_formula_says (const omen_property *property, const omen_written *written,
                   uint32_t formula, uint32_t category,
                   const omen_judged_letter *slice, size_t count,
                   uint32_t bound, const char **why)
{
  omen_judging j;
  instance at = { .j = &j,
                  .category = category,
                  .bound = bound,
                  .may_reset = written->formulas[formula].may_reset,
                  .slice = slice,
                  .count = count };
  bool yes = false;
  at.logic = begin_judging (&j, property, written, formula);
  if (at.logic && !j.beyond)
    at.creation = creation_of (&j, at.logic, written->marked);
  if (at.logic && !j.beyond)
    yes = run_all (&at, 0);
  if (at.logic)
    at.logic->end (&j);
  if (at.undecided && !j.beyond)
    j.beyond = "C code of a handler decides whether the formula starts anew";
  *why = j.beyond;
  return j.beyond ? OMEN_SAYS_UNKNOWN : yes ? OMEN_SAYS_YES : OMEN_SAYS_NO;
}
