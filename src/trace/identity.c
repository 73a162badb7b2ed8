/* One number for the meaning of a trace, whatever file it came from. */
#include "trace/trace.h"

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
hash_names (XXH3_state_t *state, const omen_names *names)
{
  hash_number (state, names->count);
  for (uint32_t i = 0; i < names->count; i++)
    hash_name (state, &names->names[i]);
}

static void
hash_value (XXH3_state_t *state, unsigned kind, uint64_t value)
{
  hash_number (state, kind);
  hash_number (state, value);
}

static void
hash_values (XXH3_state_t *state, const omen_trace *trace)
{
  hash_number (state, trace->inits.count);
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    hash_number (state, init->place);
    hash_value (state, init->value_kind, init->value);
  }
  hash_number (state, trace->rmws.count);
  for (size_t i = 0; i < trace->rmws.count; i++) {
    const omen_rmw *rmw = &trace->rmws.data[i];
    hash_value (state, rmw->value_kind[0], rmw->value[0]);
    hash_value (state, rmw->value_kind[1], rmw->value[1]);
  }
}

/* Keys by their text: the table of strings also holds what is not the trace's
   (its path, warnings). */
static void
hash_emits (XXH3_state_t *state, const omen_trace *trace)
{
  hash_number (state, trace->emits.count);
  for (size_t i = 0; i < trace->emits.count; i++) {
    const omen_emit *emit = &trace->emits.data[i];
    hash_number (state, emit->count);
    for (uint32_t a = 0; a < emit->count; a++) {
      const omen_emit_arg *arg = &trace->emit_args.data[emit->first + a];
      hash_name (state, &trace->strings.names[arg->key]);
      hash_value (state, arg->value_kind, arg->value);
    }
  }
}

/* Stacks are not in the text form and do not count. */
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

/* Without the mode bit that says that there is an extra, stack included. */
static void
hash_events (XXH3_state_t *state, const omen_trace *trace)
{
  omen_event block[256];
  size_t count = trace->events.count;
  hash_number (state, count);
  for (size_t e = 0; e < count; e += OMEN_COUNT (block)) {
    size_t n = count - e < OMEN_COUNT (block) ? count - e : OMEN_COUNT (block);
    for (size_t i = 0; i < n; i++) {
      block[i] = trace->events.data[e + i];
      block[i].mode &= (uint8_t)~OMEN_MODE_EXTRA;
    }
    XXH3_64bits_update (state, block, n * sizeof *block);
  }
}

uint64_t
omen_trace_identity (const omen_trace *trace)
{
  XXH3_state_t state;
  XXH3_INITSTATE (&state);
  XXH3_64bits_reset (&state);
  for (int i = 0; i < OMEN_OPERANDS; i++)
    hash_names (&state, &trace->names[i]);
  hash_names (&state, &trace->locations);
  hash_names (&state, &trace->symbols);
  hash_events (&state, trace);
  XXH3_64bits_update (&state, trace->places.data,
                      trace->places.count * sizeof *trace->places.data);
  hash_values (&state, trace);
  hash_emits (&state, trace);
  hash_dependences (&state, trace);
  return XXH3_64bits_digest (&state);
}
