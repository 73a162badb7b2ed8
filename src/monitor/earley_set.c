/* Sets of items: the first one, and the successor of one by an event. */
#include "monitor/earley_state.h"

#include <string.h>

static size_t
set_bytes (uint32_t items)
{
  return sizeof (omen_earley_set) + items * sizeof (omen_earley_item);
}

void
omen_earley_release (omen_earley_set *s, const omen_memory *memory)
{
  omen_earley_set *todo = NULL;
  OMEN_ASSERT (!s || s->refs);
  if (s && !--s->refs)
    todo = s;
  while (todo) {
    omen_earley_set *gone = todo;
    todo = gone->next;
    for (uint32_t i = 0; i < gone->count; i++) {
      omen_earley_set *origin = gone->items[i].origin;
      if (origin && !--origin->refs) {
        origin->next = todo;
        todo = origin;
      }
    }
    omen_memory_put (memory, gone, set_bytes (gone->count));
  }
}

/* ---- making the next set ---- */

typedef struct builder {
  omen_earley_grammar g;
  const omen_memory *memory;
  omen_earley_item *items;
  uint32_t count, room;
  uint32_t *slots, mask; /* hash table of index + 1 */
  uint8_t *predicted;    /* by nonterminal */
  bool match, full;
} builder;

static uint64_t
item_hash (const omen_earley_item *i)
{
  return omen_mix (omen_mix (i->symbol + 1, (uintptr_t)i->origin), 5);
}

static void
put_slot (builder *b, uint32_t index)
{
  uint32_t i = (uint32_t)item_hash (&b->items[index]) & b->mask;
  OMEN_ASSERT (index < b->count && 2 * b->count <= b->mask + 1);
  while (b->slots[i])
    i = (i + 1) & b->mask;
  b->slots[i] = index + 1;
}

static bool
grow_set (builder *b)
{
  uint32_t room = b->room ? 2 * b->room : OMEN_HARD_OR (2, 32);
  omen_earley_item *items = omen_memory_get (b->memory, room * sizeof *items);
  uint32_t *slots = omen_memory_get (b->memory, 2 * room * sizeof *slots);
  if (!items || !slots) {
    omen_memory_put (b->memory, items, room * sizeof *items);
    omen_memory_put (b->memory, slots, 2 * room * sizeof *slots);
    return false;
  }
  if (b->count)
    memcpy (items, b->items, b->count * sizeof *items);
  omen_memory_put (b->memory, b->items, b->room * sizeof *items);
  omen_memory_put (b->memory, b->slots, 2 * b->room * sizeof *slots);
  memset (slots, 0, 2 * room * sizeof *slots);
  b->items = items;
  b->slots = slots;
  b->room = room;
  b->mask = 2 * room - 1;
  for (uint32_t i = 0; i < b->count; i++)
    put_slot (b, i);
  return true;
}

static void
add_item (builder *b, uint32_t symbol, omen_earley_set *origin)
{
  omen_earley_item added = { origin, symbol };
  uint32_t i;
  OMEN_ASSERT (symbol < b->g.head[OMEN_EARLEY_SYMBOLS]);
  if (b->count == b->room && (b->full || !grow_set (b))) {
    b->full = true;
    return;
  }
  for (i = (uint32_t)item_hash (&added) & b->mask; b->slots[i];
       i = (i + 1) & b->mask) {
    const omen_earley_item *there = &b->items[b->slots[i] - 1];
    if (there->symbol == symbol && there->origin == origin)
      return;
  }
  b->items[b->count] = added;
  b->slots[i] = ++b->count;
}

/* A nonterminal comes next: its rules begin here. */
static void
predict_rules (builder *b, const omen_earley_item *at, uint32_t nonterminal)
{
  const omen_earley_grammar *g = &b->g;
  OMEN_ASSERT (nonterminal < g->head[OMEN_EARLEY_NONTERMINALS]);
  if (g->nullable[nonterminal])
    add_item (b, at->symbol + 1, at->origin);
  if (b->predicted[nonterminal])
    return;
  b->predicted[nonterminal] = 1;
  for (uint32_t r = g->first[nonterminal]; r < g->first[nonterminal + 1]; r++)
    add_item (b, g->starts[r], NULL);
}

/* A rule is finished: items that wait for it, in the set where it began,
   advance. One that began in this set is empty, which predict handles. */
static void
complete_item (builder *b, omen_earley_set *origin, uint32_t nonterminal)
{
  uint32_t wanted = b->g.events + nonterminal;
  for (uint32_t i = 0; origin && i < origin->count; i++) {
    const omen_earley_item *waiting = &origin->items[i];
    if (b->g.symbols[waiting->symbol] == wanted)
      add_item (b, waiting->symbol + 1,
                waiting->origin ? waiting->origin : origin);
  }
}

static void
close_items (builder *b)
{
  for (uint32_t i = 0; i < b->count && !b->full; i++) {
    omen_earley_item at = b->items[i];
    uint32_t symbol = b->g.symbols[at.symbol];
    if (symbol & OMEN_EARLEY_DONE) {
      b->match |= symbol == OMEN_EARLEY_DONE;
      complete_item (b, at.origin, symbol & ~OMEN_EARLEY_DONE);
    } else if (symbol >= b->g.events)
      predict_rules (b, &at, symbol - b->g.events);
  }
}

/* The items that are not finished, as a set with one reference. */
static omen_earley_set *
sealed (builder *b, uint32_t last)
{
  uint32_t open = 0;
  omen_earley_set *s;
  for (uint32_t i = 0; i < b->count; i++)
    open += !(b->g.symbols[b->items[i].symbol] & OMEN_EARLEY_DONE);
  s = b->full ? NULL : omen_memory_get (b->memory, set_bytes (open));
  if (!s)
    return NULL;
  *s = (omen_earley_set){ .refs = 1, .last = last, .match = b->match };
  s->hash[0] = s->hash[1] = b->match;
  for (uint32_t i = 0; i < b->count; i++) {
    omen_earley_item *at = &b->items[i];
    if (b->g.symbols[at->symbol] & OMEN_EARLEY_DONE)
      continue;
    s->items[s->count++] = *at;
    for (int h = 0; h < 2; h++)
      s->hash[h] += omen_mix (omen_mix (at->symbol + 3 + 77 * (uint64_t)h,
                                        at->origin ? at->origin->hash[h] : 1),
                              11 + (uint64_t)h);
    if (at->origin)
      at->origin->refs++;
  }
  OMEN_ASSERT (s->count == open);
  return s;
}

static bool
builder_init (builder *b, const omen_machine *machine,
              const omen_memory *memory)
{
  uint32_t nonterminals = machine->words[OMEN_EARLEY_NONTERMINALS];
  *b = (builder){ .g = omen_earley_grammar_of (machine->words),
                  .memory = memory };
  b->predicted = omen_memory_get (memory, nonterminals);
  if (!b->predicted)
    return false;
  memset (b->predicted, 0, nonterminals);
  return true;
}

static void
builder_fini (builder *b)
{
  omen_memory_put (b->memory, b->predicted,
                   b->g.head[OMEN_EARLEY_NONTERMINALS]);
  omen_memory_put (b->memory, b->items, b->room * sizeof *b->items);
  omen_memory_put (b->memory, b->slots, 2 * b->room * sizeof *b->slots);
}

omen_earley_set *
omen_earley_first (const omen_machine *machine, const omen_memory *memory)
{
  builder b;
  omen_earley_set *s = NULL;
  if (!builder_init (&b, machine, memory))
    return NULL;
  for (uint32_t r = b.g.first[0]; r < b.g.first[1]; r++)
    add_item (&b, b.g.starts[r], NULL);
  close_items (&b);
  s = sealed (&b, 0);
  builder_fini (&b);
  return s;
}

bool
omen_earley_read (const omen_machine *machine, omen_earley_set *now,
                  uint32_t event, const omen_memory *memory,
                  omen_earley_set **next)
{
  builder b;
  bool good;
  *next = NULL;
  if (!builder_init (&b, machine, memory))
    return false;
  for (uint32_t i = 0; i < now->count; i++) {
    const omen_earley_item *at = &now->items[i];
    if (b.g.symbols[at->symbol] == event)
      add_item (&b, at->symbol + 1, at->origin ? at->origin : now);
  }
  good = !b.full;
  if (good && b.count) {
    close_items (&b);
    *next = sealed (&b, event);
    good = *next != NULL;
  }
  builder_fini (&b);
  return good;
}
