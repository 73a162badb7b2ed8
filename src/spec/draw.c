#include "spec/draw.h"
#include "base/print.h"
#include "spec/logic.h"

#include <string.h>

/* The verdicts that a state's shape shows: both of the logic, with handlers or
   without. */
static const char *const matching[] = { "match", "fail" };
static const char *const judging[] = { "validation", "violation" };

void
omen_draw_quote (FILE *out, const char *text)
{
  for (size_t left = strlen (text), size; left; left -= size, text += size) {
    size = omen_print_plain (text, left);
    if (*text == '"' || *text == '\\')
      fprintf (out, "\\%c", *text);
    else if (size)
      fwrite (text, 1, size, out);
    else
      fprintf (out, "\\\\x%02x", (unsigned char)*text);
    size = size ? size : 1;
  }
}

static void
letter_name (FILE *out, const omen_spec_property *p, uint32_t letter)
{
  uint32_t events = (uint32_t)p->events.count;
  omen_draw_quote (out, p->events.data[letter % events].name);
  for (uint32_t i = 0; i < p->predicates.count; i++) {
    bool holds = letter / events >> i & 1;
    fputs (holds ? " & " : " & !(", out);
    omen_draw_quote (out, p->predicates.data[i].condition->text);
    fputs (holds ? "" : ")", out);
  }
}

/* One arrow for all letters that lead from s to t. */
static void
draw_arrow (FILE *out, const omen_spec_property *p, omen_automaton *a,
            const char *prefix, uint32_t s, uint32_t t)
{
  bool any = false;
  for (uint32_t l = 0; l < a->letters; l++) {
    if (*omen_automaton_next (a, s, l) != t)
      continue;
    if (!any)
      fprintf (out, "    %s_%u -> %s_%u [label=\"", prefix, s, prefix, t);
    else
      fputs ("\\n", out);
    letter_name (out, p, l);
    any = true;
  }
  if (any)
    fputs ("\"];\n", out);
}

static void
draw_automaton (FILE *out, const omen_building *b, omen_automaton *a,
                const char *prefix)
{
  for (uint32_t s = 0; s < omen_automaton_states (a); s++) {
    uint32_t verdict = a->verdicts.data[s];
    fprintf (out, "    %s_%u [label=\"", prefix, s);
    if (a->names.count)
      omen_draw_quote (out, a->names.data[s]);
    else
      fprintf (out, "%u", s);
    for (uint32_t g = 0; g < b->goal_count; g++)
      if (verdict >> g & 1 && !a->names.count)
        fprintf (out, "\\n%s", b->goals[g]);
    fprintf (out, "\"%s];\n", verdict & 1 ? ", shape=doublecircle" : "");
  }
  fprintf (out, "    %s_in [shape=point];\n    %s_in -> %s_%u;\n", prefix,
           prefix, prefix, a->start);
  for (uint32_t s = 0; s < omen_automaton_states (a); s++)
    for (uint32_t t = 0; t < omen_automaton_states (a); t++)
      draw_arrow (out, b->property, a, prefix, s, t);
}

/* The goals that a picture shows: those of the logic, or of the handlers. */
static void
choose_goals (omen_building *b)
{
  const omen_logic *logic = b->formula->logic;
  if (logic->has_category (b->formula->formula, "match"))
    b->goals = matching;
  else if (logic->has_category (b->formula->formula, "violation"))
    b->goals = judging;
  else {
    b->goals = &logic->about;
    b->goal_count = 1;
    return;
  }
  b->goal_count = 2;
}

static bool
draw_formula (FILE *out, omen_building *b, const char *prefix)
{
  const omen_logic *logic = b->formula->logic;
  omen_automaton *a;
  choose_goals (b);
  if (!logic->automaton) {
    logic->draw (b, prefix, out);
    return true;
  }
  a = logic->automaton (b);
  if (!a)
    return false;
  if (!a->names.count)
    omen_automaton_minimise (a, false);
  draw_automaton (out, b, a, prefix);
  omen_automaton_free (a);
  return true;
}

bool
omen_spec_draw (const omen_spec *spec, FILE *out, omen_err *err)
{
  fputs ("digraph properties {\n  rankdir=LR;\n  node [shape=circle];\n", out);
  for (size_t i = 0; i < spec->properties.count; i++) {
    const omen_spec_property *p = &spec->properties.data[i];
    for (size_t j = 0; j < p->formulas.count; j++) {
      omen_building b = {
        .spec = spec, .property = p, .err = err, .formula = &p->formulas.data[j]
      };
      char prefix[64];
      snprintf (prefix, sizeof prefix, "p%zuf%zu", i, j);
      fprintf (out, "  subgraph cluster_%s {\n    label=\"%s, %s\";\n", prefix,
               p->name, b.formula->logic->name);
      if (!draw_formula (out, &b, prefix))
        return false;
      fputs ("  }\n", out);
    }
  }
  fputs ("}\n", out);
  return true;
}
