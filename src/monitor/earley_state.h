/* Private to earley*.c: Earley's recogniser, one set of items an event.

   An item is a position in a rule's right side and the set where the rule
   began. Sets point to the sets that their items began in and are
   reference-counted, so that a state is one pointer, a copy costs nothing, and
   sets that no item refers to are freed: a long slice needs memory only for
   what is still open.

   Sets are equal if they have the same continuations: compared by two
   independent 64-bit sums over their items, in which earlier sets are
   represented by their own sums. */
#ifndef OMEN_MONITOR_EARLEY_STATE_H
#define OMEN_MONITOR_EARLEY_STATE_H

#include "monitor/earley.h"
#include "monitor/machine.h"

/* ---- earley_words.c ---- */

typedef struct omen_earley_grammar {
  const uint32_t *head, *first, *starts, *nullable, *symbols, *lands;
  uint32_t events;
} omen_earley_grammar;

omen_earley_grammar omen_earley_grammar_of (const uint32_t *words);
bool omen_earley_valid (const uint32_t *words, uint32_t count, uint32_t events,
                        uint32_t predicates);

/* ---- earley_set.c ---- */

typedef struct omen_earley_set omen_earley_set;

typedef struct omen_earley_item {
  omen_earley_set *origin; /* NULL: the set that it is in */
  uint32_t symbol;         /* index in symbols */
} omen_earley_item;

struct omen_earley_set {
  uint64_t refs;
  uint64_t hash[2];
  omen_earley_set *next; /* of those to be freed */
  uint32_t count, last;  /* items; the event that led here */
  bool match;
  omen_earley_item items[];
};

/* With one reference; NULL: no memory. */
omen_earley_set *omen_earley_first (const omen_machine *machine,
                                    const omen_memory *memory);
/* False: no memory. *next is NULL if no item can read the event. */
bool omen_earley_read (const omen_machine *machine, omen_earley_set *now,
                       uint32_t event, const omen_memory *memory,
                       omen_earley_set **next);
/* One reference less; `set` may be NULL. */
void omen_earley_release (omen_earley_set *set, const omen_memory *memory);

#endif
