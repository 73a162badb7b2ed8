/* A hash of the meaning of a trace, independent of the form of its file. */
#include "trace/ids.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void
hash_number (XXH3_state_t *state, uint64_t n)
{
  XXH3_64bits_update (state, &n, sizeof n);
}

static void
hash_name (XXH3_state_t *state, const omen_name *name)
{
  hash_number (state, name->length);
  XXH3_64bits_update (state, name->text, name->length);
}

static void
hash_names (XXH3_state_t *state, const omen_names *names, uint32_t used)
{
  OMEN_ASSERT (used <= names->count);
  hash_number (state, used);
  for (uint32_t i = 0; i < used; i++)
    hash_name (state, &names->names[i]);
}

static void
hash_value (XXH3_state_t *state, unsigned kind, uint64_t value)
{
  hash_number (state, kind);
  hash_number (state, value);
}

static void
hash_inits (XXH3_state_t *state, const omen_trace *trace)
{
  hash_number (state, trace->inits.count);
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    hash_number (state, init->place);
    hash_value (state, init->value_kind, init->value);
  }
}

static void
hash_rmws (XXH3_state_t *state, const omen_trace *trace, uint32_t used)
{
  OMEN_ASSERT (used <= trace->rmws.count);
  hash_number (state, used);
  for (uint32_t i = 0; i < used; i++) {
    const omen_rmw *rmw = &trace->rmws.data[i];
    hash_value (state, rmw->value_kind[0], rmw->value[0]);
    hash_value (state, rmw->value_kind[1], rmw->value[1]);
  }
}

/* Keys are hashed by their text, not their id: the table of strings also has
   the path and warnings, which are not part of the trace. */
static void
hash_emits (XXH3_state_t *state, const omen_trace *trace, uint32_t used)
{
  OMEN_ASSERT (used <= trace->emits.count);
  hash_number (state, used);
  for (uint32_t i = 0; i < used; i++) {
    const omen_emit *emit = &trace->emits.data[i];
    hash_number (state, emit->count);
    for (uint32_t a = 0; a < emit->count; a++) {
      const omen_emit_arg *arg = &trace->emit_args.data[emit->first + a];
      hash_name (state, &trace->strings.names[arg->key]);
      hash_value (state, arg->value_kind, arg->value);
    }
  }
}

/* Stacks are not in the text form, so they are not hashed. */
static void
hash_dependences (XXH3_state_t *state, const omen_trace *trace)
{
  for (size_t i = 0; i < trace->extras.count; i++) {
    const omen_extra *extra = &trace->extras.data[i];
    if (!extra->reads && extra->branch == OMEN_NONE)
      continue;
    hash_number (state, extra->event);
    hash_number (state, extra->branch);
    hash_number (state, extra->reads);
    for (uint32_t r = 0; r < extra->reads; r++)
      hash_number (state, trace->dependences.data[extra->first_read + r]);
  }
}

/* ---- events, and the names that they use ---- */

/* Compute how many names of each table count. Those behind them belong only to
   stacks or to events that were cut off, and are not in the text form. */
static void
raise (void *data, unsigned table, uint32_t id)
{
  uint32_t *used = data;
  OMEN_ASSERT (table < OMEN_IDS_TABLES && id != OMEN_NONE);
  if (used[table] <= id)
    used[table] = id + 1;
}

/* The bit OMEN_MODE_EXTRA is cleared, since an extra may be only a stack. */
static void
hash_events (XXH3_state_t *state, const omen_trace *trace, uint32_t *used)
{
  omen_event block[256];
  size_t count = trace->events.count;
  hash_number (state, count);
  for (size_t e = 0; e < count; e += OMEN_COUNT (block)) {
    size_t n = count - e < OMEN_COUNT (block) ? count - e : OMEN_COUNT (block);
    for (size_t i = 0; i < n; i++) {
      block[i] = trace->events.data[e + i];
      block[i].mode &= (uint8_t)~OMEN_MODE_EXTRA;
      omen_ids_in_event (trace, &block[i], omen_ids_of_object (block[i].kind),
                         raise, used);
    }
    XXH3_64bits_update (state, block, n * sizeof *block);
  }
}

static void
hash_places (XXH3_state_t *state, const omen_trace *trace, uint32_t used)
{
  OMEN_ASSERT (used <= trace->places.count);
  hash_number (state, used);
  for (uint32_t i = 0; i < used; i++) {
    hash_number (state, trace->places.data[i].variable);
    hash_number (state, trace->places.data[i].offset);
    hash_number (state, trace->places.data[i].size);
  }
}

uint64_t
omen_trace_identity (const omen_trace *trace)
{
  uint32_t used[OMEN_IDS_TABLES] = { 0 };
  XXH3_state_t state;
  XXH3_INITSTATE (&state);
  XXH3_64bits_reset (&state);
  for (size_t i = 0; i < trace->inits.count; i++)
    omen_ids_in_init (trace, &trace->inits.data[i], raise, used);
  hash_events (&state, trace, used);
  for (unsigned t = OMEN_OPERAND_PLACE + 1; t < OMEN_OPERANDS; t++)
    hash_names (&state, &trace->names[t], used[t]);
  hash_names (&state, &trace->locations, used[OMEN_IDS_LOCATION]);
  hash_names (&state, &trace->symbols, used[OMEN_IDS_SYMBOL]);
  hash_places (&state, trace, used[OMEN_OPERAND_PLACE]);
  hash_inits (&state, trace);
  hash_rmws (&state, trace, used[OMEN_IDS_RMW]);
  hash_emits (&state, trace, used[OMEN_IDS_EMIT]);
  hash_dependences (&state, trace);
  return XXH3_64bits_digest (&state);
}
