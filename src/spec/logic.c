#include "spec/logic.h"

#include <stdio.h>
#include <string.h>

static const omen_logic *const logics[] = {
#define OMEN_LOGIC(name) &omen_logic_##name,
#include "spec/logics.def"
};

static bool
spelt (const char *name, const char *text, size_t length)
{
  return name && strlen (name) == length && !memcmp (name, text, length);
}

const omen_logic *
omen_logic_find (const char *name, size_t length)
{
  for (size_t i = 0; i < OMEN_COUNT (logics); i++)
    if (spelt (logics[i]->name, name, length)
        || spelt (logics[i]->alias, name, length))
      return logics[i];
  return NULL;
}

void
omen_logic_names (char *out, size_t room)
{
  size_t n = 0;
  *out = 0;
  for (size_t i = 0; i < OMEN_COUNT (logics) && n < room; i++)
    n += (size_t)snprintf (out + n, room - n, "%s%s", i ? ", " : "",
                           logics[i]->name);
}

uint32_t
omen_write_node (omen_writing *out, omen_written_kind kind, uint32_t a,
                 uint32_t b, uint32_t c)
{
  omen_written_node added = { kind, a, b, c };
  OMEN_VEC_PUSH (out->nodes, added);
  return (uint32_t)out->nodes.count - 1;
}

bool
omen_is_matching (const void *formula, const char *category)
{
  (void)formula;
  return !strcmp (category, "match") || !strcmp (category, "fail")
         || !strcmp (category, "nonfail");
}

bool
omen_is_judging (const void *formula, const char *category)
{
  (void)formula;
  return !strcmp (category, "violation") || !strcmp (category, "validation");
}

bool
omen_suffix_matches (const char *category)
{
  return !strcmp (category, "match");
}

bool
omen_building_fail (const omen_building *building, const char *format, ...)
{
  char what[300];
  va_list args;
  va_start (args, format);
  vsnprintf (what, sizeof what, format, args);
  va_end (args);
  return omen_spec_fail (building->spec, building->formula->offset,
                         building->err, "%s", what);
}

void
omen_automaton_matching (omen_automaton *a, const omen_building *b)
{
  uint32_t states = omen_automaton_states (a);
  uint8_t *hopeful = omen_zalloc (states, 1);
  omen_automaton_hopeful (a, hopeful);
  OMEN_REQUIRE (b->goal_count && b->goal_count <= 32);
  for (uint32_t s = 0; s < states; s++) {
    bool match = a->verdicts.data[s];
    a->verdicts.data[s] = 0;
    for (uint32_t g = 0; g < b->goal_count; g++) {
      const char *goal = b->goals[g];
      bool in = !strcmp (goal, "match")  ? match
                : !strcmp (goal, "fail") ? !hopeful[s]
                                         : hopeful[s];
      a->verdicts.data[s] |= in ? 1u << g : 0;
    }
  }
  omen_free (hopeful);
}

void
omen_built_generous (omen_built *built, const omen_building *b)
{
  const omen_spec_property *p = b->property;
  omen_family binds = { { 0 } }, all;
  for (size_t e = 0; e < p->events.count; e++) {
    omen_family_add (&binds, p->events.data[e].binds);
    if (!b->creation)
      built->creation |= (uint64_t)1 << e;
  }
  all = binds;
  for (size_t i = 0; i < p->parameters.count; i++) {
    omen_family more = omen_family_cross (&all, &binds);
    omen_family_join (&all, &more);
  }
  for (size_t e = 0; e < p->events.count; e++)
    built->sources[e] = all;
}
