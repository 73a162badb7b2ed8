/* Runs monitors that users write. A state is the categories that it is in, and
   the user's bytes. */
#include "monitor/own.h"
#include "monitor/machine.h"

#include <string.h>

typedef struct state {
  uint64_t categories;
  char bytes[];
} state;

static const omen_own *
own_of (const omen_machine *machine)
{
  return (const omen_own *)(uintptr_t)(machine->words[0]
                                       | (uint64_t)machine->words[1] << 32);
}

static bool
valid (const uint32_t *words, uint32_t count, uint32_t events,
       uint32_t predicates)
{
  (void)words, (void)events, (void)predicates;
  return count == OMEN_OWN_WORDS;
}

static size_t
state_bytes (const omen_machine *machine)
{
  const omen_own *own = own_of (machine);
  size_t bytes = own ? own->monitor->bytes : 0;
  return sizeof (state) + (bytes + 7) / 8 * 8;
}

static uint64_t
categories_of (const omen_own *own, const state *s)
{
  const char *name = own->monitor->verdict (s->bytes);
  for (uint32_t c = 0; name && c < own->categories; c++)
    if (!strcmp (own->category[c], name))
      return (uint64_t)1 << c;
  return 0;
}

static void
start_own (const omen_machine *machine, void *at)
{
  const omen_own *own = own_of (machine);
  state *s = at;
  memset (s, 0, state_bytes (machine));
  if (!own)
    return;
  if (own->monitor->init)
    own->monitor->init (s->bytes);
  s->categories = categories_of (own, s);
}

static bool
step_own (const omen_machine *machine, void *at, const omen_letter *letter,
          const omen_memory *memory)
{
  const omen_own *own = own_of (machine);
  state *s = at;
  (void)memory;
  if (own) {
    omen_step event
        = { own->event[letter->event], letter->event, letter->thread };
    OMEN_ASSERT (letter->event < own->events);
    own->monitor->step (s->bytes, &event);
    s->categories = categories_of (own, s);
  }
  return true;
}

static uint32_t
own_verdict (const omen_machine *machine, const void *at)
{
  (void)machine;
  return (uint32_t)((const state *)at)->categories;
}

/* Nothing is known about the user's states: as long as an event may come, any
   category may be reached. */
static bool
can_land (const omen_machine *machine, const void *at, uint32_t dead)
{
  const omen_own *own = own_of (machine);
  (void)at;
  for (uint32_t e = 0; own && e < own->events; e++)
    if (!(own->binds[e] & dead))
      return true;
  return false;
}

static bool
copy_own (const omen_machine *machine, void *to, const void *from,
          const omen_memory *memory)
{
  (void)memory;
  memcpy (to, from, state_bytes (machine));
  return true;
}

static void
drop_own (const omen_machine *machine, void *at, const omen_memory *memory)
{
  (void)machine, (void)at, (void)memory;
}

static uint64_t
hash_own (const omen_machine *machine, const void *at)
{
  const uint64_t *words = at;
  uint64_t all = 1;
  for (size_t i = 0; i < state_bytes (machine) / sizeof *words; i++)
    all = omen_mix (all, words[i]);
  return all;
}

static bool
own_same (const omen_machine *machine, const void *a, const void *b)
{
  return !memcmp (a, b, state_bytes (machine));
}

const omen_machine_engine omen_engine_own
    = { "own",    valid,    state_bytes, start_own, step_own, own_verdict,
        can_land, copy_own, drop_own,    hash_own,  own_same };
