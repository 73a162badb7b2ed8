#include "predict/property/states.h"
#include "monitor/heap.h"

#include <stdlib.h>
#include <string.h>

/* ---- machines' states ---- */

static uint32_t
number_machine (omen_tracks *t, const void *state)
{
  const omen_machine *machine = &t->formula->machine;
  uint64_t hash = t->engine->hash (machine, state) >> 1;
  uint32_t *slot = omen_map_at (&t->machines_by_hash, hash), i;
  void *copy;
  bool copied;
  for (i = *slot; i != OMEN_NONE; i = t->machines_older.data[i])
    if (t->engine->same (machine, t->machines.data[i], state))
      return i;
  i = (uint32_t)t->machines.count;
  copy = omen_alloc (t->machine_bytes);
  copied = t->engine->copy (machine, copy, state, &omen_heap);
  OMEN_ASSERT (copied);
  OMEN_VEC_PUSH (t->machines, copy);
  OMEN_VEC_PUSH (t->machines_older, *slot);
  *slot = i;
  return i;
}

uint32_t
omen_machine_start (omen_tracks *t)
{
  uint32_t number;
  t->engine->start (&t->formula->machine, t->machine);
  number = number_machine (t, t->machine);
  t->engine->drop (&t->formula->machine, t->machine, &omen_heap);
  return number;
}

uint32_t
omen_machine_step (omen_tracks *t, uint32_t from, const omen_letter *letter,
                   uint32_t *verdict)
{
  const omen_machine *machine = &t->formula->machine;
  uint32_t number;
  bool good = t->engine->copy (machine, t->machine, t->machines.data[from],
                               &omen_heap);
  OMEN_ASSERT (from < t->machines.count);
  OMEN_ASSERT (good);
  good = t->engine->step (machine, t->machine, letter, &omen_heap);
  OMEN_ASSERT (good);
  *verdict = t->engine->verdict (machine, t->machine);
  number = number_machine (t, t->machine);
  t->engine->drop (machine, t->machine, &omen_heap);
  return number;
}

/* ---- watched variables ---- */

static bool
same_values (const omen_tracks *t, const omen_watched *a, const omen_watched *b)
{
  for (uint32_t i = 0; i < t->watched_count; i++)
    if (a->values[i].kind != b->values[i].kind
        || a->values[i].bits != b->values[i].bits)
      return false;
  return true;
}

uint32_t
omen_tracks_watch (omen_tracks *t, uint32_t before, omen_eid e)
{
  omen_watched now;
  uint32_t i;
  OMEN_ASSERT (before < t->watched.count);
  if (!t->watched_count)
    return before;
  now.values = omen_alloc (t->watched_count * sizeof *now.values);
  memcpy (now.values, t->watched.data[before].values,
          t->watched_count * sizeof *now.values);
  omen_watched_apply (t->observer, &now, e);
  for (i = 0; i < t->watched.count; i++)
    if (same_values (t, &t->watched.data[i], &now)) {
      omen_watched_fini (&now);
      return i;
    }
  OMEN_VEC_PUSH (t->watched, now);
  return i;
}

/* ---- packing ---- */

static int
compare_parts (const void *a, const void *b)
{
  const omen_part *x = a, *y = b;
  if (x->set != y->set)
    return x->set < y->set ? -1 : 1;
  return memcmp (x->age, y->age, sizeof x->age);
}

static int
compare_notes (const void *a, const void *b)
{
  const omen_binding_note *x = a, *y = b;
  if (x->set != y->set)
    return x->set < y->set ? -1 : 1;
  return memcmp (x->age, y->age, sizeof x->age);
}

static uint32_t
rank_of (const omen_ids *times, uint32_t time)
{
  uint32_t rank = 0;
  for (size_t i = 0; time && i < times->count && times->data[i] <= time; i++)
    rank += !i || times->data[i] != times->data[i - 1];
  return rank;
}

/* Make equal states compare equal: time stamps become ranks; instances and
   notes are sorted. */
static void
normalise (omen_scene *s)
{
  omen_ids times = { 0 };
  for (size_t i = 0; i < s->parts.count; i++)
    OMEN_VEC_PUSH (times, s->parts.data[i].created);
  for (size_t i = 0; i < s->notes.count; i++)
    OMEN_VEC_PUSH (times, s->notes.data[i].time);
  OMEN_VEC_SORT (times, omen_compare_u32);
  for (size_t i = 0; i < s->parts.count; i++)
    s->parts.data[i].created = rank_of (&times, s->parts.data[i].created);
  for (size_t i = 0; i < s->notes.count; i++)
    s->notes.data[i].time = rank_of (&times, s->notes.data[i].time);
  OMEN_VEC_FINI (times);
  OMEN_VEC_SORT (s->parts, compare_parts);
  OMEN_VEC_SORT (s->notes, compare_notes);
}

_Static_assert (OMEN_PARAMETERS_MAX <= 16, "a component is packed in 4 bits");

/* Layout in words: binding, watched, landed, number of notes, deaths, notes
   (set, time, ages), parts (set, machine, created, ages and components). */
static void
pack (omen_tracks *t, omen_scene *s)
{
  uint32_t parameters = t->property->parameters;
  omen_ids *w = &t->packed;
  normalise (s);
  OMEN_VEC_CLEAR (*w);
  OMEN_VEC_PUSH (*w, s->binding);
  OMEN_VEC_PUSH (*w, s->watched);
  OMEN_VEC_PUSH (*w, s->landed);
  OMEN_VEC_PUSH (*w, (uint32_t)s->notes.count);
  for (uint32_t p = 0; p < parameters; p++)
    OMEN_VEC_PUSH (*w, s->deaths[p]);
  for (size_t i = 0; i < s->notes.count; i++) {
    OMEN_VEC_PUSH (*w, s->notes.data[i].set);
    OMEN_VEC_PUSH (*w, s->notes.data[i].time);
    for (uint32_t p = 0; p < parameters; p++)
      OMEN_VEC_PUSH (*w, s->notes.data[i].age[p]);
  }
  for (size_t i = 0; i < s->parts.count; i++) {
    const omen_part *at = &s->parts.data[i];
    OMEN_VEC_PUSH (*w, at->set);
    OMEN_VEC_PUSH (*w, at->machine);
    OMEN_VEC_PUSH (*w, at->created);
    for (uint32_t p = 0; p < parameters; p++) {
      OMEN_ASSERT (at->age[p] < 1u << 28 && at->joined[p] < 16);
      OMEN_VEC_PUSH (*w, at->age[p] << 4 | at->joined[p]);
    }
  }
}

static const uint32_t *
unpack_notes (const uint32_t *w, uint32_t count, uint32_t parameters,
              omen_scene *s)
{
  OMEN_VEC_CLEAR (s->notes);
  for (; count--; w += 2 + parameters) {
    omen_binding_note at = { .set = w[0], .time = w[1] };
    memcpy (at.age, w + 2, parameters * sizeof *w);
    s->clock = at.time > s->clock ? at.time : s->clock;
    OMEN_VEC_PUSH (s->notes, at);
  }
  return w;
}

void
omen_scene_unpack (const omen_tracks *t, uint32_t state, omen_scene *s)
{
  uint32_t parameters = t->property->parameters, notes;
  const uint32_t *w = t->words.data + t->states.data[state].first;
  const uint32_t *end = w + t->states.data[state].count;
  OMEN_ASSERT (state < t->states.count);
  s->binding = *w++;
  s->watched = *w++;
  s->landed = *w++;
  notes = *w++;
  s->clock = 0;
  memcpy (s->deaths, w, parameters * sizeof *w);
  w = unpack_notes (w + parameters, notes, parameters, s);
  OMEN_VEC_CLEAR (s->parts);
  for (; w < end; w += 3 + parameters) {
    omen_part at = { .set = w[0], .machine = w[1], .created = w[2] };
    for (uint32_t p = 0; p < parameters; p++) {
      at.age[p] = w[3 + p] >> 4;
      at.joined[p] = w[3 + p] & 15;
    }
    s->clock = at.created > s->clock ? at.created : s->clock;
    OMEN_VEC_PUSH (s->parts, at);
  }
  OMEN_ASSERT (w == end);
}

/* The number of the packed state. */
static uint32_t
intern_packed (omen_tracks *t)
{
  const omen_ids *w = &t->packed;
  uint64_t hash = 0;
  uint32_t *slot, i;
  for (size_t k = 0; k < w->count; k++)
    hash = omen_mix (hash, w->data[k]);
  slot = omen_map_at (&t->by_hash, hash >> 1);
  for (i = *slot; i != OMEN_NONE; i = t->older.data[i])
    if (t->states.data[i].count == w->count
        && !memcmp (t->words.data + t->states.data[i].first, w->data,
                    w->count * sizeof *w->data))
      return i;
  i = (uint32_t)t->states.count;
  OMEN_ASSERT (t->older.count == i);
  OMEN_VEC_PUSH (t->states, ((omen_packed){ (uint32_t)t->words.count,
                                            (uint32_t)w->count }));
  for (size_t k = 0; k < w->count; k++)
    OMEN_VEC_PUSH (t->words, w->data[k]);
  OMEN_VEC_PUSH (t->older, *slot);
  *slot = i;
  return i;
}

uint32_t
omen_scene_pack (omen_tracks *t, omen_scene *s)
{
  pack (t, s);
  return intern_packed (t);
}
