/* A machine: one formula, compiled. It reads letters and says after each of
   them in which categories (match, violation, …) the word so far lies.

     void *state = …machine.engine->state_bytes (&machine) bytes…;
     engine->start (&machine, state);
     engine->step (&machine, state, &letter, &memory);
     if (engine->verdict (&machine, state) & 1u << category) …
     engine->drop (&machine, state, &memory);

   A machine is plain data, an array of words that means something to its
   engine only: it can be written into C source, and shared by threads. All that
   changes is in the state, which the caller owns, so that any number of states
   can live side by side: a monitor for each parameter binding, or the set of
   states that prediction keeps for a cut of the lattice (copy, hash, same).

   Engines (engines.def) are few, logics (spec/logics.def) are many: a logic
   that has a finite automaton needs no engine of its own. */
#ifndef OMEN_MONITOR_MACHINE_H
#define OMEN_MONITOR_MACHINE_H

#include "monitor/memory.h"

/* What a machine reads at one event. */
typedef struct omen_letter {
  uint32_t event;      /* of the property, below property->events */
  uint32_t predicates; /* bit i: state predicate i holds after the event */
  uint32_t thread;     /* any number that identifies the thread */
  bool apart; /* known not to be parallel to the letter before it, which takes a
                 whole run to know (doc/semantics.md, section 4) */
  uint32_t unknown; /* bit i: whether predicate i holds is not known; its bit of
                       `predicates` is 0 then */
} omen_letter;

typedef struct omen_machine {
  const struct omen_machine_engine *engine;
  const uint32_t *words;
  uint32_t count;
} omen_machine;

typedef struct omen_machine_engine {
  const char *name;
  /* May these words be run, whatever the letters below `events` and
     `predicates`? All other functions rely on it. */
  bool (*valid) (const uint32_t *words, uint32_t count, uint32_t events,
                 uint32_t predicates);
  /* Bytes of a state, the same for every state of the machine; 8-aligned. */
  size_t (*state_bytes) (const omen_machine *machine);
  void (*start) (const omen_machine *machine, void *state);
  /* False: no memory, and the state is unchanged. */
  bool (*step) (const omen_machine *machine, void *state,
                const omen_letter *letter, const omen_memory *memory);
  /* Bits of the categories that the last step reached. For a fresh state: those
     of the empty word, which are not reported. */
  uint32_t (*verdict) (const omen_machine *machine, const void *state);
  /* Can a category still be reached by events that bind none of the parameters
     in `dead`? (The coenable sets, by state.) A no is certain, a yes is not. */
  bool (*can_land) (const omen_machine *machine, const void *state,
                    uint32_t dead);
  /* `to` is uninitialised before. False: no memory. */
  bool (*copy) (const omen_machine *machine, void *to, const void *from,
                const omen_memory *memory);
  /* Free the memory that the state owns; its bytes belong to the caller. */
  void (*drop) (const omen_machine *machine, void *state,
                const omen_memory *memory);
  uint64_t (*hash) (const omen_machine *machine, const void *state);
  /* Do both states behave alike from here on? A yes is certain, a no is not. */
  bool (*same) (const omen_machine *machine, const void *a, const void *b);
} omen_machine_engine;

#define OMEN_ENGINE(name) extern const omen_machine_engine omen_engine_##name;
#include "monitor/engines.def"

/* By name; NULL if there is none. */
const omen_machine_engine *omen_engine_find (const char *name);

/* A step of the hash functions of states and bindings. */
static inline uint64_t
omen_mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

#endif
