/* TRUSTED. cfg: Earley's recogniser, on the productive rules. After each letter
   there is a set of items: which rules may have been begun where, and how far
   each has been read. */
#include "witness/judge_logic.h"

#include <string.h>

typedef struct rule {
  uint32_t left, first, count; /* of its symbols among the written nodes */
} rule;

typedef struct cfg {
  OMEN_VEC (rule) rules;          /* those that derive a word */
  uint8_t *productive, *nullable; /* by nonterminal */
} cfg;

/* A rule, read up to `dot`, begun after `origin` letters. */
typedef struct item {
  uint32_t rule, dot, origin;
} item;

typedef struct chart {
  omen_judging *j;
  OMEN_VEC (item) items;
  omen_ids first; /* by number of letters read: first item of its set */
  omen_map known; /* items of the last set: (rule and dot, origin) */
} chart;

/* ---- the grammar ---- */

static const omen_written_node *
symbol (const omen_judging *j, const rule *r, uint32_t at)
{
  return &j->written->nodes[r->first + at];
}

/* Add the left sides of rules whose nonterminals are all in the set, until
   nothing changes; rules with events only if `events`. */
static void
close_set (const omen_judging *j, const cfg *c, uint8_t *set, bool events)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < c->rules.count; i++) {
      const rule *r = &c->rules.data[i];
      bool all = true;
      for (uint32_t k = 0; k < r->count; k++) {
        const omen_written_node *s = symbol (j, r, k);
        all &= s->kind == OMEN_W_EVENT ? events : set[s->a];
      }
      if (all && !set[r->left])
        set[r->left] = changed = true;
    }
  }
}

static bool
has_words (const omen_judging *j, const cfg *c, const rule *r)
{
  for (uint32_t k = 0; k < r->count; k++)
    if (symbol (j, r, k)->kind != OMEN_W_EVENT
        && !c->productive[symbol (j, r, k)->a])
      return false;
  return true;
}

static void
begin_cfg (omen_judging *j)
{
  cfg *c = omen_zalloc (1, sizeof *c);
  size_t kept = 0;
  j->own = c;
  for (uint32_t i = 0; i < j->written->count; i++) {
    rule r = { j->written->nodes[i].a, i + 1, 0 };
    if (j->written->nodes[i].kind == OMEN_W_RULE)
      OMEN_VEC_PUSH (c->rules, r);
    else
      OMEN_VEC_LAST (c->rules).count++;
  }
  c->productive = omen_zalloc (j->written->name_count + 1, 1);
  c->nullable = omen_zalloc (j->written->name_count + 1, 1);
  close_set (j, c, c->productive, true);
  close_set (j, c, c->nullable, false);
  for (size_t i = 0; i < c->rules.count; i++)
    if (has_words (j, c, &c->rules.data[i]))
      c->rules.data[kept++] = c->rules.data[i];
  c->rules.count = kept;
}

static void
end_cfg (omen_judging *j)
{
  cfg *c = j->own;
  OMEN_VEC_FINI (c->rules);
  omen_free (c->productive);
  omen_free (c->nullable);
  omen_free (c);
}

/* ---- the chart ---- */

static void
add_item (chart *t, uint32_t rule_number, uint32_t dot, uint32_t origin)
{
  const cfg *c = t->j->own;
  uint32_t place = c->rules.data[rule_number].first + dot;
  uint32_t *slot = omen_map_at (&t->known, OMEN_PAIR (place, origin));
  item added = { rule_number, dot, origin };
  if (*slot != OMEN_NONE || !omen_judging_works (t->j, 1))
    return;
  *slot = 0;
  OMEN_VEC_PUSH (t->items, added);
}

/* Begin the set of items after one more letter. */
static void
open_set (chart *t)
{
  OMEN_VEC_PUSH (t->first, (uint32_t)t->items.count);
  omen_map_fini (&t->known);
  omen_map_init (&t->known);
}

static void
predict_chart (chart *t, uint32_t nonterminal)
{
  const cfg *c = t->j->own;
  for (uint32_t r = 0; r < c->rules.count; r++)
    if (c->rules.data[r].left == nonterminal)
      add_item (t, r, 0, (uint32_t)t->first.count - 1);
}

/* Advance the items that wait for the left side. If it is empty (begun in this
   set), items that are added later skip it as nullable. */
static void
complete_chart (chart *t, item done)
{
  const cfg *c = t->j->own;
  uint32_t left = c->rules.data[done.rule].left;
  size_t to = done.origin + 1 < t->first.count ? t->first.data[done.origin + 1]
                                               : t->items.count;
  for (size_t i = t->first.data[done.origin]; i < to; i++) {
    item at = t->items.data[i];
    const rule *r = &c->rules.data[at.rule];
    if (at.dot == r->count)
      continue;
    if (symbol (t->j, r, at.dot)->kind == OMEN_W_NONTERMINAL
        && symbol (t->j, r, at.dot)->a == left)
      add_item (t, at.rule, at.dot + 1, at.origin);
  }
}

/* Close the last set under prediction and completion. */
static void
close_items (chart *t)
{
  const cfg *c = t->j->own;
  for (size_t i = OMEN_VEC_LAST (t->first); i < t->items.count && !t->j->beyond;
       i++) {
    item at = t->items.data[i];
    const rule *r = &c->rules.data[at.rule];
    const omen_written_node *s;
    if (at.dot == r->count) {
      complete_chart (t, at);
      continue;
    }
    s = symbol (t->j, r, at.dot);
    if (s->kind != OMEN_W_NONTERMINAL)
      continue;
    predict_chart (t, s->a);
    if (c->nullable[s->a])
      add_item (t, at.rule, at.dot + 1, at.origin);
  }
}

static void
read_letter (chart *t, uint32_t event)
{
  const cfg *c = t->j->own;
  size_t from = OMEN_VEC_LAST (t->first), to = t->items.count;
  open_set (t);
  for (size_t i = from; i < to && !t->j->beyond; i++) {
    item at = t->items.data[i];
    const rule *r = &c->rules.data[at.rule];
    if (at.dot < r->count && symbol (t->j, r, at.dot)->kind == OMEN_W_EVENT
        && symbol (t->j, r, at.dot)->a == event)
      add_item (t, at.rule, at.dot + 1, at.origin);
  }
  close_items (t);
}

static bool
is_match (const chart *t, uint32_t start)
{
  const cfg *c = t->j->own;
  for (size_t i = OMEN_VEC_LAST (t->first); i < t->items.count; i++) {
    item at = t->items.data[i];
    const rule *r = &c->rules.data[at.rule];
    if (!at.origin && at.dot == r->count && r->left == start)
      return true;
  }
  return false;
}

/* ---- answers ---- */

typedef struct answer {
  bool match, viable;
} answer;

static answer
recognise (omen_judging *j, const omen_letter *word, size_t count)
{
  chart t = { .j = j };
  uint32_t start = j->written->nodes[0].a;
  answer a;
  omen_map_init (&t.known);
  open_set (&t);
  predict_chart (&t, start);
  close_items (&t);
  for (size_t i = 0; i < count && !j->beyond; i++)
    read_letter (&t, word[i].event);
  a = (answer){ is_match (&t, start), OMEN_VEC_LAST (t.first) < t.items.count };
  omen_map_fini (&t.known);
  OMEN_VEC_FINI (t.items);
  OMEN_VEC_FINI (t.first);
  return a;
}

static bool
cfg_lands (omen_judging *j, const omen_letter *word, size_t count,
           const char *category)
{
  answer a = recognise (j, word, count);
  return !strcmp (category, "match")  ? a.match
         : !strcmp (category, "fail") ? !a.viable
                                      : a.viable;
}

/* Events that can begin a word, and events that bind nothing. */
static uint64_t
cfg_creation (omen_judging *j)
{
  uint64_t set = 0;
  for (uint32_t e = 0; e < j->events; e++) {
    omen_letter letter = { .event = e };
    if (!j->property->event[e].binds || recognise (j, &letter, 1).viable)
      set |= (uint64_t)1 << e;
  }
  return set;
}

const omen_judging_logic omen_judging_cfg
    = { "cfg", begin_cfg, end_cfg, cfg_lands, cfg_creation };
