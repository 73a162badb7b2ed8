/* The engine for grammars: Earley's recogniser, one set of items an event.

   An item is a place in a rule's right side and the set where the rule began.
   Sets point at the sets that their items began in and are counted, so that a
   state is one pointer, a copy costs nothing, and sets that no item comes from
   any more are given back: what a long slice needs is what is still open.

   Sets are equal if all they can lead to is: compared by two independent
   64-bit sums over their items, in which earlier sets stand for themselves. */
#include "monitor/earley.h"
#include "monitor/machine.h"
#include "monitor/property.h"
#include "monitor/table.h"

#include <string.h>

typedef struct set set;

typedef struct item {
  set *origin;     /* NULL: the set that it is in */
  uint32_t symbol; /* index in symbols */
} item;

struct set {
  uint64_t refs;
  uint64_t hash[2];
  set *next; /* of those to be freed */
  uint32_t count, last; /* items; the event that led here */
  bool match;
  item items[];
};

typedef enum phase { FRESH, GOING, FAILED } phase;

typedef struct state {
  set *now; /* of GOING */
  uint64_t phase;
} state;

/* ---- the words ---- */

typedef struct grammar {
  const uint32_t *head, *first, *starts, *nullable, *symbols, *lands;
  uint32_t events;
} grammar;

static grammar
grammar_of (const uint32_t *words)
{
  grammar g = { .head = words, .events = words[OMEN_EARLEY_EVENTS] };
  g.first = words + OMEN_EARLEY_FIRST;
  g.starts = g.first + words[OMEN_EARLEY_NONTERMINALS] + 1;
  g.nullable = g.starts + words[OMEN_EARLEY_STARTS];
  g.symbols = g.nullable + words[OMEN_EARLEY_NONTERMINALS];
  g.lands = g.symbols + words[OMEN_EARLEY_SYMBOLS];
  return g;
}

static bool
symbols_fit (const grammar *g)
{
  uint32_t count = g->head[OMEN_EARLEY_SYMBOLS];
  uint32_t all = g->events + g->head[OMEN_EARLEY_NONTERMINALS];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t s = g->symbols[i];
    if (s & OMEN_EARLEY_DONE
            ? (s & ~OMEN_EARLEY_DONE) >= g->head[OMEN_EARLEY_NONTERMINALS]
            : s >= all)
      return false;
  }
  for (uint32_t i = 0; i < g->head[OMEN_EARLEY_STARTS]; i++)
    if (g->starts[i] >= count)
      return false;
  for (uint32_t n = 0; n < g->head[OMEN_EARLEY_NONTERMINALS]; n++)
    if (g->first[n] > g->first[n + 1]
        || g->first[n + 1] > g->head[OMEN_EARLEY_STARTS])
      return false;
  return count && g->symbols[count - 1] & OMEN_EARLEY_DONE;
}

static bool
valid (const uint32_t *words, uint32_t count, uint32_t events,
       uint32_t predicates)
{
  grammar g;
  uint64_t want;
  (void)predicates;
  if (count < OMEN_EARLEY_FIRST || words[OMEN_EARLEY_EVENTS] != events
      || events > OMEN_EVENTS_MAX
      || words[OMEN_EARLEY_PARAMETERS] > OMEN_PARAMETERS_MAX
      || !words[OMEN_EARLEY_NONTERMINALS])
    return false;
  want = OMEN_EARLEY_FIRST + 2 * (uint64_t)words[OMEN_EARLEY_NONTERMINALS] + 1
         + words[OMEN_EARLEY_STARTS] + words[OMEN_EARLEY_SYMBOLS]
         + (uint64_t)events * omen_lands_words (words[OMEN_EARLEY_PARAMETERS]);
  if (want != count)
    return false;
  g = grammar_of (words);
  return symbols_fit (&g);
}

/* ---- sets ---- */

static size_t
set_bytes (uint32_t items)
{
  return sizeof (set) + items * sizeof (item);
}

static void
release (set *s, const omen_memory *memory)
{
  set *todo = NULL;
  if (s && !--s->refs)
    todo = s;
  while (todo) {
    set *gone = todo;
    todo = gone->next;
    for (uint32_t i = 0; i < gone->count; i++) {
      set *origin = gone->items[i].origin;
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
  grammar g;
  const omen_memory *memory;
  item *items;
  uint32_t count, room;
  uint32_t *slots, mask; /* hash table of index + 1 */
  uint8_t *predicted;    /* by nonterminal */
  bool match, full;
} builder;

static uint64_t
item_hash (const item *i)
{
  return omen_mix (omen_mix (i->symbol + 1, (uintptr_t)i->origin), 5);
}

static void
put_slot (builder *b, uint32_t index)
{
  uint32_t i = (uint32_t)item_hash (&b->items[index]) & b->mask;
  while (b->slots[i])
    i = (i + 1) & b->mask;
  b->slots[i] = index + 1;
}

static bool
grow (builder *b)
{
  uint32_t room = b->room ? 2 * b->room : OMEN_HARD_OR (2, 32);
  item *items = omen_memory_get (b->memory, room * sizeof *items);
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
add (builder *b, uint32_t symbol, set *origin)
{
  item added = { origin, symbol };
  uint32_t i;
  if (b->count == b->room && (b->full || !grow (b))) {
    b->full = true;
    return;
  }
  for (i = (uint32_t)item_hash (&added) & b->mask; b->slots[i];
       i = (i + 1) & b->mask) {
    const item *there = &b->items[b->slots[i] - 1];
    if (there->symbol == symbol && there->origin == origin)
      return;
  }
  b->items[b->count] = added;
  b->slots[i] = ++b->count;
}

/* A nonterminal comes next: its rules begin here. */
static void
predict (builder *b, const item *at, uint32_t nonterminal)
{
  const grammar *g = &b->g;
  if (g->nullable[nonterminal])
    add (b, at->symbol + 1, at->origin);
  if (b->predicted[nonterminal])
    return;
  b->predicted[nonterminal] = 1;
  for (uint32_t r = g->first[nonterminal]; r < g->first[nonterminal + 1]; r++)
    add (b, g->starts[r], NULL);
}

/* A rule is finished: whoever waited for it in the set where it began goes on.
   One that began here has the empty word, which predict has seen to. */
static void
finish (builder *b, set *origin, uint32_t nonterminal)
{
  uint32_t wanted = b->g.events + nonterminal;
  for (uint32_t i = 0; origin && i < origin->count; i++) {
    const item *waiting = &origin->items[i];
    if (b->g.symbols[waiting->symbol] == wanted)
      add (b, waiting->symbol + 1, waiting->origin ? waiting->origin : origin);
  }
}

static void
close_items (builder *b)
{
  for (uint32_t i = 0; i < b->count && !b->full; i++) {
    item at = b->items[i];
    uint32_t symbol = b->g.symbols[at.symbol];
    if (symbol & OMEN_EARLEY_DONE) {
      b->match |= symbol == OMEN_EARLEY_DONE;
      finish (b, at.origin, symbol & ~OMEN_EARLEY_DONE);
    } else if (symbol >= b->g.events)
      predict (b, &at, symbol - b->g.events);
  }
}

/* The items that are not finished, as a set with one reference. */
static set *
sealed (builder *b, uint32_t last)
{
  uint32_t open = 0;
  set *s;
  for (uint32_t i = 0; i < b->count; i++)
    open += !(b->g.symbols[b->items[i].symbol] & OMEN_EARLEY_DONE);
  s = b->full ? NULL : omen_memory_get (b->memory, set_bytes (open));
  if (!s)
    return NULL;
  *s = (set){ .refs = 1, .last = last, .match = b->match };
  s->hash[0] = s->hash[1] = b->match;
  for (uint32_t i = 0; i < b->count; i++) {
    item *at = &b->items[i];
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
builder_init (builder *b, const omen_machine *machine, const omen_memory *memory)
{
  uint32_t nonterminals = machine->words[OMEN_EARLEY_NONTERMINALS];
  *b = (builder){ .g = grammar_of (machine->words), .memory = memory };
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

static set *
first_set (const omen_machine *machine, const omen_memory *memory)
{
  builder b;
  set *s = NULL;
  if (!builder_init (&b, machine, memory))
    return NULL;
  for (uint32_t r = b.g.first[0]; r < b.g.first[1]; r++)
    add (&b, b.g.starts[r], NULL);
  close_items (&b);
  s = sealed (&b, 0);
  builder_fini (&b);
  return s;
}

/* ---- the engine ---- */

static size_t
state_bytes (const omen_machine *machine)
{
  (void)machine;
  return sizeof (state);
}

static void
start (const omen_machine *machine, void *at)
{
  (void)machine;
  *(state *)at = (state){ NULL, FRESH };
}

/* False: no memory. *next is NULL if no item can read the event. */
static bool
read_event (const omen_machine *machine, set *now, uint32_t event,
            const omen_memory *memory, set **next)
{
  builder b;
  bool good;
  *next = NULL;
  if (!builder_init (&b, machine, memory))
    return false;
  for (uint32_t i = 0; i < now->count; i++) {
    const item *at = &now->items[i];
    if (b.g.symbols[at->symbol] == event)
      add (&b, at->symbol + 1, at->origin ? at->origin : now);
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

static bool
step (const omen_machine *machine, void *at, const omen_letter *letter,
      const omen_memory *memory)
{
  state *s = at;
  set *now = s->now, *next;
  bool good;
  if (s->phase == FAILED)
    return true;
  if (s->phase == FRESH)
    now = first_set (machine, memory);
  if (!now)
    return false;
  good = read_event (machine, now, letter->event, memory, &next);
  if (good) {
    *s = (state){ next, next ? GOING : FAILED };
    release (now, memory);
  } else if (now != s->now)
    release (now, memory);
  return good;
}

static uint32_t
verdict (const omen_machine *machine, const void *at)
{
  const state *s = at;
  const uint32_t *head = machine->words;
  bool match = s->phase == GOING ? s->now->match
                                 : s->phase == FRESH
                                       && grammar_of (head).nullable[0];
  if (s->phase == FAILED)
    return head[OMEN_EARLEY_FAIL];
  return head[OMEN_EARLEY_NONFAIL] | (match ? head[OMEN_EARLEY_MATCH] : 0);
}

static bool
can_land (const omen_machine *machine, const void *at, uint32_t dead)
{
  const state *s = at;
  grammar g = grammar_of (machine->words);
  uint32_t row = omen_lands_words (g.head[OMEN_EARLEY_PARAMETERS]);
  if (g.head[OMEN_EARLEY_FAIL] || g.head[OMEN_EARLEY_NONFAIL]
      || s->phase == FRESH)
    return true;
  return s->phase == GOING
         && g.lands[s->now->last * row + dead / 32] >> dead % 32 & 1;
}

static bool
copy (const omen_machine *machine, void *to, const void *from,
      const omen_memory *memory)
{
  (void)machine, (void)memory;
  *(state *)to = *(const state *)from;
  if (((state *)to)->now)
    ((state *)to)->now->refs++;
  return true;
}

static void
drop (const omen_machine *machine, void *at, const omen_memory *memory)
{
  (void)machine;
  release (((state *)at)->now, memory);
}

static uint64_t
hash (const omen_machine *machine, const void *at)
{
  const state *s = at;
  (void)machine;
  return omen_mix (s->phase, s->now ? s->now->hash[0] : 0);
}

static bool
same (const omen_machine *machine, const void *a, const void *b)
{
  const state *s = a, *t = b;
  (void)machine;
  if (s->now == t->now || !s->now || !t->now)
    return s->now == t->now && s->phase == t->phase;
  return s->now->count == t->now->count && s->now->hash[0] == t->now->hash[0]
         && s->now->hash[1] == t->now->hash[1];
}

const omen_engine omen_engine_earley
    = { "earley", valid, state_bytes, start, step, verdict,
        can_land, copy,  drop,        hash,  same };
