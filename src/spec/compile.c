#include "spec/compile.h"
#include "monitor/own.h"
#include "monitor/table.h"
#include "spec/graph.h"
#include "spec/logic.h"

#include <string.h>

static void
events_of (const omen_spec_property *from, omen_property_event *events)
{
  OMEN_REQUIRE (from->events.count <= OMEN_EVENTS_MAX);
  for (size_t i = 0; i < from->events.count; i++)
    events[i] = (omen_property_event){
      from->events.data[i].name, from->events.data[i].binds,
      from->events.data[i].cuts.data, (uint32_t)from->events.data[i].cuts.count
    };
}

/* ---- automata ---- */

static void
graph_of (const omen_automaton *a, const omen_building *b, omen_graph *g)
{
  uint32_t events = (uint32_t)b->property->events.count;
  omen_graph_init (g, omen_automaton_states (a), a->start);
  for (uint32_t s = 0; s < g->states; s++) {
    g->goal[s] = a->verdicts.data[s] != 0;
    for (uint32_t l = 0; l < a->letters; l++) {
      omen_automaton_edge edge
          = { s, l % events, a->next.data[(size_t)s * a->letters + l] };
      OMEN_VEC_PUSH (g->edges, edge);
      if (!(a->verdicts.data[edge.to] & b->resets))
        continue;
      edge.to = a->start; /* and goes on from there */
      OMEN_VEC_PUSH (g->edges, edge);
    }
  }
}

static void
table_words (const omen_automaton *a, const omen_building *b,
             const uint32_t *lands, omen_ids *words)
{
  const omen_spec_property *p = b->property;
  uint32_t states = omen_automaton_states (a);
  uint32_t parameters = (uint32_t)p->parameters.count;
  OMEN_ASSERT (a->letters == p->events.count << p->predicates.count);
  OMEN_VEC_PUSH (*words, states);
  OMEN_VEC_PUSH (*words, (uint32_t)p->events.count);
  OMEN_VEC_PUSH (*words, (uint32_t)p->predicates.count);
  OMEN_VEC_PUSH (*words, parameters);
  OMEN_VEC_PUSH (*words, a->start);
  OMEN_VEC_PUSH (*words, b->resets);
  for (size_t i = 0; i < a->next.count; i++)
    OMEN_VEC_PUSH (*words, a->next.data[i]);
  for (uint32_t s = 0; s < states; s++)
    OMEN_VEC_PUSH (*words, a->verdicts.data[s]);
  for (uint32_t i = 0; i < states * omen_lands_words (parameters); i++)
    OMEN_VEC_PUSH (*words, lands[i]);
}

/* ---- creation events (doc/properties.md, "Instances") ---- */

/* In a minimal automaton: is there a word, not empty, after which the verdicts
   from `state` differ from those from the start? */
static bool
differs (const omen_automaton *a, uint32_t state)
{
  for (uint32_t l = 0; l < a->letters; l++)
    if (a->next.data[(size_t)state * a->letters + l]
        != a->next.data[(size_t)a->start * a->letters + l])
      return true;
  return false;
}

uint64_t
omen_creation_moves (const omen_building *b, const omen_automaton *a)
{
  uint32_t events = (uint32_t)b->property->events.count;
  uint64_t set = 0;
  for (uint32_t l = 0; l < a->letters; l++) {
    uint32_t to = a->next.data[(size_t)a->start * a->letters + l];
    if (a->verdicts.data[to] || differs (a, to))
      set |= (uint64_t)1 << l % events;
  }
  return set;
}

/* Events that can begin a word; and events that bind nothing, if some later
   verdict differs. */
static uint64_t
creation_begins (const omen_building *b, const omen_automaton *a)
{
  uint32_t events = (uint32_t)b->property->events.count;
  uint8_t *hopeful = omen_zalloc (omen_automaton_states (a), 1);
  uint64_t set = 0;
  omen_automaton_hopeful (a, hopeful);
  for (uint32_t l = 0; l < a->letters; l++) {
    uint32_t to = a->next.data[(size_t)a->start * a->letters + l];
    if (hopeful[to]
        || (!b->property->events.data[l % events].binds && differs (a, to)))
      set |= (uint64_t)1 << l % events;
  }
  omen_free (hopeful);
  return set;
}

static bool
has_goal (const omen_building *b, const char *name)
{
  for (uint32_t g = 0; g < b->goal_count; g++)
    if (!strcmp (b->goals[g], name))
      return true;
  return false;
}

/* Of the formula's own automaton, minimal but for its start. */
static uint64_t
creation_of (const omen_building *b, const omen_automaton *a)
{
  if (b->creation)
    return b->creation;
  if (b->property->modifiers & OMEN_SUFFIX || has_goal (b, "fail")
      || has_goal (b, "nonfail"))
    return UINT64_MAX;
  return b->formula->logic->creation ? b->formula->logic->creation (b, a)
                                     : creation_begins (b, a);
}

static void
lower_automaton (const omen_automaton *a, const omen_building *b,
                 omen_built *built)
{
  const omen_spec_property *p = b->property;
  omen_property_event events[OMEN_EVENTS_MAX];
  uint32_t row = omen_lands_words ((uint32_t)p->parameters.count);
  uint32_t *lands
      = omen_zalloc ((size_t)omen_automaton_states (a) * row, sizeof *lands);
  omen_graph g;
  events_of (p, events);
  graph_of (a, b, &g);
  omen_graph_enable (&g, events, (uint32_t)p->events.count, &built->creation,
                     built->sources,
                     p->modifiers & OMEN_CONNECTED ? NULL : built->idle);
  omen_graph_lands (&g, events, (uint32_t)p->parameters.count, lands);
  table_words (a, b, lands, &built->words);
  built->engine = &omen_engine_table;
  omen_graph_fini (&g);
  omen_free (lands);
}

/* A formula without state predicates in a property that has some: the
   predicates make no difference. */
static bool
add_letters (omen_automaton *a, const omen_building *b)
{
  uint32_t events = (uint32_t)b->property->events.count;
  uint32_t letters = events << b->property->predicates.count;
  omen_ids next = { 0 };
  OMEN_ASSERT (a->letters == events || a->letters == letters);
  if (a->letters == letters)
    return true;
  if ((uint64_t)omen_automaton_states (a) * letters > OMEN_NEXT_MAX)
    return omen_building_fail (b,
                               "%u states are too many with %zu state "
                               "predicates",
                               omen_automaton_states (a),
                               b->property->predicates.count);
  for (size_t s = 0; s < omen_automaton_states (a); s++)
    for (uint32_t l = 0; l < letters; l++)
      OMEN_VEC_PUSH (next, a->next.data[s * events + l % events]);
  OMEN_VEC_FINI (a->next);
  memcpy (&a->next, &next, sizeof next);
  a->letters = letters;
  return true;
}

static bool
build_automaton (const omen_building *b, omen_built *built)
{
  omen_automaton *a = b->formula->logic->automaton (b), *suffixes;
  bool good;
  if (!a)
    return false;
  omen_automaton_minimise (a, false);
  built->creation = creation_of (b, a);
  if (b->property->modifiers & OMEN_SUFFIX) {
    suffixes = omen_automaton_suffix (a);
    omen_automaton_free (a);
    a = suffixes;
    if (!a)
      return omen_building_fail (b, "this formula needs more than %d states",
                                 OMEN_STATES_MAX);
  }
  good = add_letters (a, b);
  if (good) {
    omen_automaton_minimise (a, true);
    lower_automaton (a, b, built);
  }
  omen_automaton_free (a);
  return good;
}

/* ---- formulas ---- */

static const omen_sources *
sources_of (omen_arena *arena, const omen_building *b,
            const omen_family *families)
{
  omen_sources *all
      = OMEN_ARENA_NEW (arena, omen_sources, b->property->events.count);
  for (size_t e = 0; e < b->property->events.count; e++) {
    uint8_t *sets = OMEN_ARENA_NEW (arena, uint8_t, 1 << OMEN_PARAMETERS_MAX);
    for (int size = OMEN_PARAMETERS_MAX; size >= 0; size--)
      for (uint32_t set = 0; set < 1u << OMEN_PARAMETERS_MAX; set++)
        if (__builtin_popcount (set) == size
            && omen_family_has (&families[e], set))
          sets[all[e].count++] = (uint8_t)set;
    OMEN_ASSERT (all[e].count <= 1u << OMEN_PARAMETERS_MAX);
    all[e].sets = sets;
  }
  return all;
}

static void
goals_of (omen_arena *arena, const omen_spec_formula *from, omen_formula *to)
{
  uint32_t count = (uint32_t)from->handlers.count;
  const char **names = OMEN_ARENA_NEW (arena, const char *, count + 1);
  OMEN_ASSERT (count <= 32); /* bits of verdicts */
  to->logic = from->logic->name;
  to->category = names;
  to->categories = count ? count : 1;
  names[0] = from->logic->about;
  for (uint32_t i = 0; i < count; i++) {
    names[i] = from->handlers.data[i].category;
    to->resets |= from->handlers.data[i].resets ? 1u << i : 0;
  }
}

static uint64_t
marked (const omen_spec_property *property)
{
  uint64_t set = 0;
  for (size_t i = 0; i < property->events.count; i++)
    if (property->events.data[i].creation)
      set |= (uint64_t)1 << i;
  return set;
}

/* All events, but writes to watched variables only if it watches any. */
static uint64_t
listens (const omen_building *b)
{
  uint32_t events = (uint32_t)b->property->events.count;
  bool state = b->property->predicates.count && !b->formula->watches;
  OMEN_ASSERT (events && events <= OMEN_EVENTS_MAX);
  return (events == 64 ? 0 : (uint64_t)1 << events)
         - (state ? (uint64_t)1 << (events - 1) : 0) - 1;
}

static bool
compile_formula (omen_arena *arena, omen_building *b, omen_formula *out)
{
  const omen_logic *logic = b->formula->logic;
  omen_built built = { .creation = b->creation };
  uint32_t *words;
  bool good;
  OMEN_ASSERT (!logic->automaton != !logic->machine);
  goals_of (arena, b->formula, out);
  b->goals = out->category;
  b->goal_count = out->categories;
  b->resets = out->resets;
  good = logic->automaton ? build_automaton (b, &built)
                          : logic->machine (b, &built);
  OMEN_ASSERT (good || b->err->set);
  if (good) {
    OMEN_ASSERT (built.words.count);
    words = omen_arena_alloc (arena, built.words.count * sizeof *words);
    memcpy (words, built.words.data, built.words.count * sizeof *words);
    out->machine
        = (omen_machine){ built.engine, words, (uint32_t)built.words.count };
    out->listens = listens (b);
    out->creation = built.creation & out->listens;
    out->sources = sources_of (arena, b, built.sources);
    out->idle = sources_of (arena, b, built.idle);
    OMEN_ASSERT (built.engine->valid (words, out->machine.count,
                                      (uint32_t)b->property->events.count,
                                      (uint32_t)b->property->predicates.count));
  }
  OMEN_VEC_FINI (built.words);
  return good;
}

/* ---- as they are written ---- */

static void
write_formula (omen_arena *arena, const omen_spec_formula *from,
               omen_written_formula *to)
{
  omen_writing w = { 0 };
  omen_written_node *nodes;
  const char **names;
  if (from->logic->write)
    from->logic->write (from->formula, &w);
  nodes = OMEN_ARENA_NEW (arena, omen_written_node, w.nodes.count + 1);
  names = OMEN_ARENA_NEW (arena, const char *, w.names.count + 1);
  if (w.nodes.count)
    memcpy (nodes, w.nodes.data, w.nodes.count * sizeof *nodes);
  for (size_t i = 0; i < w.names.count; i++)
    names[i] = w.names.data[i];
  *to = (omen_written_formula){ nodes, (uint32_t)w.nodes.count, names,
                                (uint32_t)w.names.count, 0 };
  for (size_t i = 0; i < from->handlers.count; i++)
    to->may_reset |= from->handlers.data[i].may_reset ? 1u << i : 0;
  OMEN_VEC_FINI (w.nodes);
  OMEN_VEC_FINI (w.names);
}

static void
write_property (omen_arena *arena, const omen_spec_property *from,
                omen_written *to)
{
  omen_written_formula *formulas
      = OMEN_ARENA_NEW (arena, omen_written_formula, from->formulas.count + 1);
  for (size_t i = 0; i < from->formulas.count; i++)
    write_formula (arena, &from->formulas.data[i], &formulas[i]);
  *to = (omen_written){ formulas, marked (from) };
}

/* ---- properties ---- */

static bool
compile_property (omen_arena *arena, const omen_spec *spec,
                  const omen_spec_property *from, omen_property *to,
                  omen_err *err)
{
  omen_building b = {
    .spec = spec, .property = from, .err = err, .creation = marked (from)
  };
  omen_property_event *events
      = OMEN_ARENA_NEW (arena, omen_property_event, from->events.count);
  omen_formula *formulas
      = OMEN_ARENA_NEW (arena, omen_formula, from->formulas.count);
  const char **parameters
      = OMEN_ARENA_NEW (arena, const char *, from->parameters.count + 1);
  const omen_condition **predicates = OMEN_ARENA_NEW (
      arena, const omen_condition *, from->predicates.count + 1);
  events_of (from, events);
  for (size_t i = 0; i < from->parameters.count; i++)
    parameters[i] = from->parameters.data[i].name;
  for (size_t i = 0; i < from->predicates.count; i++)
    predicates[i] = from->predicates.data[i].condition;
  *to = (omen_property){ from->name,
                         from->modifiers,
                         (uint32_t)from->parameters.count,
                         (uint32_t)from->events.count,
                         (uint32_t)from->predicates.count,
                         (uint32_t)from->formulas.count,
                         from->beside,
                         parameters,
                         events,
                         predicates,
                         formulas };
  if (!to->events)
    return omen_spec_fail (spec, from->offset, err,
                           "property '%s' has no events", from->name);
  for (uint32_t i = 0; i < to->formulas; i++) {
    b.formula = &from->formulas.data[i];
    if (!compile_formula (arena, &b, &formulas[i]))
      return false;
  }
  return true;
}

omen_compiled *
omen_spec_compile (const omen_spec *spec, omen_err *err)
{
  omen_compiled *c = omen_zalloc (1, sizeof *c);
  omen_arena_init (&c->arena);
  c->count = (uint32_t)spec->properties.count;
  c->properties = OMEN_ARENA_NEW (&c->arena, omen_property, c->count);
  c->written = OMEN_ARENA_NEW (&c->arena, omen_written, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++)
    write_property (&c->arena, &spec->properties.data[i], &c->written[i]);
  for (uint32_t i = 0; i < c->count; i++)
    if (!compile_property (&c->arena, spec, &spec->properties.data[i],
                           &c->properties[i], err)) {
      OMEN_ASSERT (err->set);
      omen_compiled_free (c);
      return NULL;
    }
  return c;
}

void
omen_compiled_own (omen_compiled *c, uint32_t property, uint32_t formula,
                   const struct omen_own_monitor *monitor)
{
  const omen_property *p = &c->properties[property];
  const omen_formula *f = &p->formula[formula];
  omen_own *own = OMEN_ARENA_NEW (&c->arena, omen_own, 1);
  const char **names = OMEN_ARENA_NEW (&c->arena, const char *, p->events);
  uint8_t *binds = OMEN_ARENA_NEW (&c->arena, uint8_t, p->events);
  OMEN_REQUIRE (f->machine.engine == &omen_engine_own
                && omen_own_complete (monitor));
  for (uint32_t e = 0; e < p->events; e++) {
    names[e] = p->event[e].name;
    binds[e] = (uint8_t)p->event[e].binds;
  }
  *own = (omen_own){ monitor, p->events, f->categories,
                     names,   binds,     f->category };
  /* The words are in our arena; nothing has read them yet. */
  omen_own_bind ((uint32_t *)f->machine.words, own);
}

void
omen_compiled_free (omen_compiled *c)
{
  if (!c)
    return;
  omen_arena_fini (&c->arena);
  omen_free (c);
}
