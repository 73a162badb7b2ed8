/* Variables that were asked for. Their bytes get a place in the trace even if
   nothing accesses them, since state predicates speak of them all the same. Not
   the bytes of large ones. */
#include "recording/events/events.h"

enum { ASKED_MAX = 4096 };

typedef struct asked {
  omen_ids variables,
      first; /* the first byte of each in `covered`, and the end */
  OMEN_VEC (uint8_t) covered; /* by byte: some place has it */
  omen_map number;            /* of a variable in `variables` */
} asked;

static void
find_asked (omen_emitter *emitter, asked *a)
{
  for (size_t i = 0; i < emitter->file->objects.count; i++) {
    const omen_data_object *object = &emitter->file->objects.data[i];
    uint32_t b;
    if (!object->kept || !object->size || object->size > ASKED_MAX)
      continue;
    b = omen_emit_block (emitter, object->address);
    if (b == OMEN_NONE)
      continue;
    OMEN_VEC_PUSH (a->variables, emitter->blocks.blocks.data[b].variable);
    OMEN_VEC_PUSH (a->first, (uint32_t)a->covered.count);
    *omen_map_at (&a->number, OMEN_VEC_LAST (a->variables))
        = (uint32_t)a->variables.count - 1;
    for (uint64_t k = 0; k < object->size; k++)
      OMEN_VEC_PUSH (a->covered, (uint8_t)0);
  }
  OMEN_VEC_PUSH (a->first, (uint32_t)a->covered.count);
}

static void
cover (asked *a, const omen_place *place)
{
  uint32_t i = omen_map_get (&a->number, place->variable), size;
  if (i == OMEN_NONE)
    return;
  size = a->first.data[i + 1] - a->first.data[i];
  for (uint32_t at = place->offset;
       at < size && at - place->offset < place->size; at++)
    a->covered.data[a->first.data[i] + at] = 1;
}

/* Places of eight bytes or less. */
static void
add_places (omen_emitter *emitter, const asked *a, uint32_t i)
{
  const uint8_t *covered = a->covered.data + a->first.data[i];
  uint32_t size = a->first.data[i + 1] - a->first.data[i], end;
  for (uint32_t from = 0; from < size; from = end) {
    for (end = from; end < size && !covered[end] && end / 8 == from / 8;)
      end++;
    if (end > from)
      omen_trace_place (emitter->trace, a->variables.data[i], from, end - from);
    else
      end = from + 1;
  }
}

void
omen_emit_asked (omen_emitter *emitter)
{
  asked a = { 0 };
  omen_map_init (&a.number);
  find_asked (emitter, &a);
  for (omen_pid p = 0; a.variables.count && p < emitter->trace->places.count;
       p++)
    cover (&a, &emitter->trace->places.data[p]);
  for (uint32_t i = 0; i < a.variables.count; i++)
    add_places (emitter, &a, i);
  omen_map_fini (&a.number);
  OMEN_VEC_FINI (a.variables);
  OMEN_VEC_FINI (a.first);
  OMEN_VEC_FINI (a.covered);
}
