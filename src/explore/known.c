#include "explore/known.h"

struct omen_known {
  omen_map beginnings;      /* in `runs`, by thread and past */
  OMEN_VEC (omen_ids) runs; /* ascending */
  omen_map ends;            /* of all threads together */
  uint32_t count;
};

omen_known *
omen_known_new (void)
{
  omen_known *known = omen_zalloc (1, sizeof *known);
  omen_map_init (&known->beginnings);
  omen_map_init (&known->ends);
  return known;
}

void
omen_known_free (omen_known *known)
{
  if (!known)
    return;
  for (size_t i = 0; i < known->runs.count; i++)
    OMEN_VEC_FINI (known->runs.data[i]);
  OMEN_VEC_FINI (known->runs);
  omen_map_fini (&known->beginnings);
  omen_map_fini (&known->ends);
  omen_free (known);
}

static uint64_t
key_of_past (uint64_t name, omen_observed past)
{
  uint64_t key = omen_hash_mix (omen_hash_mix (name, past.count), past.hash);
  return key == OMEN_MAP_NO_KEY ? 0 : key;
}

/* In any order of the threads; those that have observed nothing do not show. */
static uint64_t
key_of_end (const omen_beginning *threads, uint32_t count)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += threads[i].past.count
               ? key_of_past (threads[i].name, threads[i].past)
               : 0;
  return sum == OMEN_MAP_NO_KEY ? 0 : sum;
}

static void
add_beginning (omen_known *known, uint64_t key)
{
  uint32_t *list = omen_map_at (&known->beginnings, key);
  if (*list == OMEN_NONE) {
    *list = (uint32_t)known->runs.count;
    OMEN_VEC_PUSH (known->runs, (omen_ids){ 0 });
  }
  omen_ids *runs = &known->runs.data[*list];
  if (!runs->count || OMEN_VEC_LAST (*runs) != known->count)
    OMEN_VEC_PUSH (*runs, known->count);
}

uint64_t
omen_known_end (const omen_histories *run)
{
  uint32_t threads = run->model->thread_count;
  omen_beginning *ends = omen_alloc ((threads + 1) * sizeof *ends);
  for (omen_tid t = 0; t < threads; t++)
    ends[t] = (omen_beginning){ run->names[t], run->all[t] };
  uint64_t end = key_of_end (ends, threads);
  omen_free (ends);
  return end;
}

uint64_t
omen_known_add (omen_known *known, const omen_histories *run)
{
  const omen_model *m = run->model;
  for (omen_eid e = 0; e < m->event_count; e++) {
    omen_tid t = omen_model_thread (m, e);
    add_beginning (known, key_of_past (run->names[t], run->before[e]));
  }
  for (omen_tid t = 0; t < m->thread_count; t++)
    add_beginning (known, key_of_past (run->names[t], run->all[t]));
  uint64_t end = omen_known_end (run);
  *omen_map_at (&known->ends, end) = known->count;
  known->count++;
  return end;
}

/* The runs that are in both, into the first. */
static void
keep_common (omen_ids *runs, const omen_ids *others)
{
  size_t kept = 0;
  for (size_t i = 0, j = 0; i < runs->count && j < others->count; i++) {
    while (j < others->count && others->data[j] < runs->data[i])
      j++;
    if (j < others->count && others->data[j] == runs->data[i])
      runs->data[kept++] = runs->data[i];
  }
  runs->count = kept;
}

static const omen_ids *
runs_of (const omen_known *known, const omen_beginning *thread)
{
  uint32_t list = omen_map_get (&known->beginnings,
                                key_of_past (thread->name, thread->past));
  return list == OMEN_NONE ? NULL : &known->runs.data[list];
}

bool
omen_known_has (const omen_known *known, const omen_beginning *threads,
                uint32_t count)
{
  const omen_ids *least = NULL;
  omen_ids common = { 0 };
  for (uint32_t i = 0; i < count; i++) {
    const omen_ids *runs
        = threads[i].past.count ? runs_of (known, &threads[i]) : NULL;
    if (threads[i].past.count && !runs)
      return false;
    if (runs && (!least || runs->count < least->count))
      least = runs;
  }
  if (!least)
    return known->count;
  for (size_t i = 0; i < least->count; i++)
    OMEN_VEC_PUSH (common, least->data[i]);
  for (uint32_t i = 0; i < count && common.count; i++)
    if (threads[i].past.count)
      keep_common (&common, runs_of (known, &threads[i]));
  bool found = common.count;
  OMEN_VEC_FINI (common);
  return found;
}

bool
omen_known_ended (const omen_known *known, const omen_beginning *threads,
                  uint32_t count)
{
  return omen_map_get (&known->ends, key_of_end (threads, count)) != OMEN_NONE;
}

uint32_t
omen_known_behaviours (const omen_known *known)
{
  return known->ends.count;
}

/* Do the lists name runs that there are, in order? */
static bool
is_sound (const omen_known *known)
{
  const omen_map *map = &known->beginnings;
  for (uint32_t i = 0; map->count && i <= map->mask; i++)
    if (map->entries[i].key != OMEN_MAP_NO_KEY
        && map->entries[i].value >= known->runs.count)
      return false;
  for (size_t i = 0; i < known->runs.count; i++) {
    const omen_ids *runs = &known->runs.data[i];
    for (size_t k = 0; k < runs->count; k++)
      if (runs->data[k] >= known->count
          || (k && runs->data[k] <= runs->data[k - 1]))
        return false;
  }
  return true;
}

void
omen_known_archive (omen_known *known, omen_archive *archive)
{
  omen_archive_bytes (archive, &known->count, sizeof known->count);
  omen_archive_map (archive, &known->beginnings);
  omen_archive_map (archive, &known->ends);
  size_t lists = omen_archive_count (archive, known->runs.count);
  for (size_t i = 0; i < lists && archive->ok; i++) {
    if (archive->reading)
      OMEN_VEC_PUSH (known->runs, (omen_ids){ 0 });
    omen_ids *runs = &known->runs.data[i];
    size_t count = omen_archive_count (archive, runs->count);
    if (archive->reading) {
      OMEN_VEC_RESERVE (*runs, count);
      runs->count = count;
    }
    if (count)
      omen_archive_bytes (archive, runs->data, count * sizeof *runs->data);
  }
  archive->ok = archive->ok && is_sound (known);
}
