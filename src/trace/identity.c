/* One number for the meaning of a trace, whatever file it came from. */
#include "trace/trace.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void
hash_names (XXH3_state_t *state, const omen_names *names)
{
  XXH3_64bits_update (state, &names->count, sizeof names->count);
  for (uint32_t i = 0; i < names->count; i++)
    XXH3_64bits_update (state, names->names[i].text,
                        names->names[i].length + 1);
}

uint64_t
omen_trace_identity (const omen_trace *trace)
{
  XXH3_state_t *state = XXH3_createState ();
  uint64_t identity;
  OMEN_REQUIRE (state);
  XXH3_64bits_reset (state);
  for (int i = 0; i < OMEN_OPERANDS; i++)
    hash_names (state, &trace->names[i]);
  hash_names (state, &trace->locations);
  hash_names (state, &trace->symbols);
#define HASH(vec)                                                              \
  XXH3_64bits_update (state, trace->vec.data,                                  \
                      trace->vec.count * sizeof *trace->vec.data)
  HASH (events);
  HASH (places);
  HASH (dependences);
#undef HASH
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    uint64_t flat[3] = { init->place, init->value_kind, init->value };
    XXH3_64bits_update (state, flat, sizeof flat);
  }
  for (size_t i = 0; i < trace->rmws.count; i++) {
    const omen_rmw *rmw = &trace->rmws.data[i];
    uint64_t flat[4] = { rmw->value[0], rmw->value_kind[0], rmw->value[1],
                         rmw->value_kind[1] };
    XXH3_64bits_update (state, flat, sizeof flat);
  }
  identity = XXH3_64bits_digest (state);
  XXH3_freeState (state);
  return identity;
}
