#include "explore/history.h"

/* ---- values ---- */

/* Bytes of a variable, of which all are known; or a pointer, by what it points
   to. */
typedef struct source {
  uint64_t value;
  uint32_t offset, size;
  bool pointer;
} source;

static uint64_t
masked (uint64_t value, uint32_t size)
{
  return size < 8 ? value & ((UINT64_C (1) << 8 * size) - 1) : value;
}

static bool
source_of (const omen_trace *trace, omen_pid place, unsigned kind,
           uint64_t value, source *s)
{
  const omen_place *p = &trace->places.data[place];
  bool pointer = kind == OMEN_VALUE_POINTER && p->size == 8;
  if ((!pointer && kind != OMEN_VALUE_INT && kind != OMEN_VALUE_BIG)
      || p->size > 8)
    return false;
  *s = (source){ masked (value, p->size), p->offset, p->size, pointer };
  return true;
}

/* What the event read (or wrote). */
static bool
source_event (const omen_trace *trace, omen_eid e, bool read, source *s)
{
  const omen_event *event = omen_trace_event (trace, e);
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &trace->rmws.data[event->value];
    return source_of (trace, event->object, rmw->value_kind[!read],
                      rmw->value[!read], s);
  }
  if (event->kind == OMEN_ALLOC || event->kind == OMEN_FREE
      || event->kind == OMEN_EXTERNAL)
    return false;
  return source_of (trace, event->object, event->value_kind, event->value, s);
}

static bool
source_initial (const omen_histories *h, uint32_t atom, source *s)
{
  const omen_trace *trace = h->model->trace;
  const omen_place *at = &h->atoms.atoms[atom];
  if (h->initial[atom] != OMEN_NONE
      && source_event (trace, h->initial[atom], true, s))
    return true;
  for (size_t i = 0; i < trace->inits.count; i++) {
    const omen_init *init = &trace->inits.data[i];
    if (omen_place_overlap (&trace->places.data[init->place], at)
        && source_of (trace, init->place, init->value_kind, init->value, s))
      return true;
  }
  return false;
}

static uint64_t
hash_text (const char *text)
{
  uint64_t hash = 7;
  for (; *text; text++)
    hash = omen_hash_mix (hash, (uint8_t)*text);
  return hash;
}

/* User addresses of x86-64 that are not small: numbers of programs seldom are
   among them, and if one is, nothing is lost but runs. */
static bool
is_pointer (uint64_t value, uint32_t size)
{
  return size == 8 && value >> 32 >= 0x5000 && value >> 47 == 0;
}

/* False: a number that means itself. */
static bool
pointer_key (const source *s, uint64_t *key)
{
  *key = s->pointer ? omen_hash_mix (s->value, 5) | UINT64_C (1) << 63
                    : s->value;
  *key -= *key == OMEN_MAP_NO_KEY;
  return s->pointer || is_pointer (s->value, s->size);
}

/* What lies in a module, as variables and functions do, is the same in all
   runs, whoever has its address first; 0: it does not. */
static uint64_t
name_in_module (const omen_histories *h, const source *s)
{
  const omen_trace *trace = h->model->trace;
  if (s->pointer || !is_pointer (s->value, s->size))
    return 0;
  for (size_t i = 0; i < trace->modules.count; i++) {
    const omen_module *module = &trace->modules.data[i];
    if (s->value - module->base < module->size)
      return omen_hash_mix (
          hash_text (omen_names_text (&trace->strings, module->path)),
          s->value - module->base);
  }
  return 0;
}

static uint64_t
name_value (const omen_histories *h, const source *s)
{
  uint64_t key, fixed = name_in_module (h, s);
  if (fixed)
    return fixed;
  uint32_t known
      = pointer_key (s, &key) ? omen_map_get (&h->pointers, key) : OMEN_NONE;
  return known != OMEN_NONE ? h->first.data[known]
                            : omen_hash_mix (s->value, s->size);
}

static uint64_t
name_event (const omen_histories *h, omen_eid e)
{
  if (e == OMEN_NONE) /* the initial value */
    return 1;
  const omen_observed *past = &h->before[e];
  return omen_hash_mix (omen_hash_mix (past->hash, past->count),
                        h->names[omen_model_thread (h->model, e)]);
}

/* The part of *value that the atom is, if the write is known. */
static bool
see_atom (const omen_histories *h, uint32_t atom, omen_eid writer,
          const omen_place *place, uint64_t *value)
{
  const omen_place *at = &h->atoms.atoms[atom];
  source s;
  if (writer == OMEN_NONE ? !source_initial (h, atom, &s)
                          : !source_event (h->model->trace, writer, false, &s))
    return false;
  if (s.pointer || at->offset < s.offset || at->offset - s.offset >= s.size
      || at->offset < place->offset || at->size > 8)
    return false;
  *value |= masked (s.value >> 8 * (at->offset - s.offset), at->size)
            << 8 * (at->offset - place->offset);
  return true;
}

/* Did one write all of the place, as a pointer? */
static bool
see_pointer (const omen_histories *h, const omen_place *place, uint32_t count,
             const omen_eid *writers, source *s)
{
  for (uint32_t i = 1; i < count; i++)
    if (writers[i] != writers[0])
      return false;
  return writers[0] != OMEN_NONE
         && source_event (h->model->trace, writers[0], false, s) && s->pointer
         && s->offset == place->offset && s->size == place->size;
}

uint64_t
omen_history_seen (const omen_histories *h, omen_eid read,
                   const omen_eid *writers, bool *known)
{
  const omen_trace *trace = h->model->trace;
  omen_span span = omen_model_atoms (h->model, read);
  const omen_place *place
      = &trace->places.data[omen_trace_event (trace, read)->object];
  uint64_t hash = place->size;
  source s = { .size = place->size };
  *known = place->size <= 8;
  if (see_pointer (h, place, span.count, writers, &s))
    return name_value (h, &s);
  for (uint32_t i = 0; *known && i < span.count; i++)
    *known = see_atom (h, span.first + i, writers[i], place, &s.value);
  s.value = masked (s.value, s.size);
  if (*known)
    return name_value (h, &s);
  for (uint32_t i = 0; i < span.count; i++)
    hash = omen_hash_mix (hash, name_event (h, writers[i]));
  return hash;
}

/* ---- observations ---- */

/* Operations of one sort have one number, whatever came of them. */
static uint64_t
sort_of (omen_kind kind)
{
  switch (kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
  case OMEN_REQUEST:
    return OMEN_ACQUIRE;
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
  case OMEN_SEM_REQUEST:
    return OMEN_SEM_DOWN;
  case OMEN_JOIN:
  case OMEN_JOIN_REQUEST:
    return OMEN_JOIN;
  case OMEN_WAKE:
  case OMEN_WAIT:
    return OMEN_WAKE;
  case OMEN_DEPART:
  case OMEN_ARRIVE:
    return OMEN_DEPART;
  default:
    return OMEN_KINDS;
  }
}

uint64_t
omen_history_outcome (omen_kind kind, uint32_t outcome)
{
  OMEN_ASSERT (sort_of (kind) != OMEN_KINDS);
  return omen_hash_mix (sort_of (kind) + 1, outcome);
}

omen_observed
omen_observed_and (omen_observed past, uint64_t observed)
{
  return (omen_observed){ omen_hash_mix (past.hash, observed), past.count + 1 };
}

uint32_t
omen_history_getvalue (const omen_model *m, omen_eid e)
{
  const omen_event *first = omen_model_event (m, e);
  uint32_t downs = 0, ups = 0;
  if (first->kind != OMEN_SEM_DOWN || !(first->mode & OMEN_MODE_TRY))
    return 0;
  for (omen_eid at = e; at != OMEN_NONE; at = omen_model_next (m, at)) {
    const omen_event *event = omen_model_event (m, at);
    if (event->object != first->object || event->location != first->location)
      break;
    if (event->kind == OMEN_SEM_DOWN && !ups)
      downs++;
    else if (event->kind == OMEN_SEM_UP && ups < downs)
      ups++;
    else
      break;
  }
  return ups == downs ? downs : 0;
}

/* ---- a run ---- */

enum { LAST = 12 }; /* number of observations that show a thread spins */

/* What a thread observed last, without having written in between. */
typedef struct recent {
  uint64_t place[LAST], observed[LAST]; /* the newest first */
  uint32_t count;
} recent;

typedef struct reading {
  omen_histories *h;
  recent *recent;    /* by thread */
  uint32_t *since;   /* by thread: writes since the last observation */
  uint32_t *skipped; /* by thread: events of a sem_getvalue to come */
} reading;

static bool
own_value (const omen_histories *h, omen_eid e, uint64_t *observed)
{
  source s;
  if (!source_event (h->model->trace, e, true, &s))
    return false;
  *observed = name_value (h, &s);
  return true;
}

static uint32_t
outcome_of (const omen_histories *h, omen_eid e)
{
  const omen_event *event = omen_model_event (h->model, e);
  switch (event->kind) {
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
  case OMEN_SEM_FAIL:
    return OMEN_OUTCOME_NO;
  case OMEN_WAKE:
    return event->mode & OMEN_MODE_TIMEOUT    ? OMEN_OUTCOME_NO
           : event->mode & OMEN_MODE_SPURIOUS ? OMEN_OUTCOME_SPURIOUS
                                              : OMEN_OUTCOME_YES;
  case OMEN_DEPART:
    return h->serial[e] ? OMEN_OUTCOME_YES : OMEN_OUTCOME_NO;
  default:
    return OMEN_OUTCOME_YES;
  }
}

static bool
observes (const omen_event *event)
{
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
  case OMEN_JOIN:
  case OMEN_WAKE:
  case OMEN_DEPART:
    return true;
  default:
    return omen_kind_reads (event->kind);
  }
}

static uint64_t
observation (const omen_histories *h, omen_eid e)
{
  const omen_event *event = omen_model_event (h->model, e);
  uint32_t value = omen_history_getvalue (h->model, e);
  if (omen_kind_reads (event->kind)) {
    uint64_t observed;
    bool known;
    if (own_value (h, e, &observed))
      return observed;
    return omen_history_seen (h, e, &h->model->from[h->model->at[e]], &known);
  }
  return omen_history_outcome (event->kind, value ? value : outcome_of (h, e));
}

/* A read may represent a pointer by its target, but its write by the bits,
   since the target did not exist yet. */
static uint64_t
name_as_written (const omen_histories *h, omen_eid e)
{
  const omen_model *m = h->model;
  omen_span span = omen_model_atoms (m, e);
  omen_eid from = m->from[m->at[e]];
  source s;
  uint64_t key;
  for (uint32_t i = 1; i < span.count; i++)
    if (m->from[m->at[e] + i] != from)
      return 0;
  if (from == OMEN_NONE
      || m->place_atoms[omen_model_event (m, from)->object].count != span.count
      || !source_event (m->trace, from, false, &s) || !pointer_key (&s, &key))
    return 0;
  uint32_t known = omen_map_get (&h->pointers, key);
  return known == OMEN_NONE ? 0 : h->first.data[known];
}

/* The value that the event has, if it is the first to have it. */
static void
name_pointer (reading *r, omen_eid e, bool read)
{
  omen_histories *h = r->h;
  source s;
  uint64_t key;
  if (!source_event (h->model->trace, e, read, &s) || !pointer_key (&s, &key))
    return;
  uint32_t *at = omen_map_at (&h->pointers, key);
  if (*at != OMEN_NONE)
    return;
  *at = (uint32_t)h->first.count;
  uint64_t name = read ? name_as_written (h, e) : 0;
  if (!name)
    name = omen_hash_mix (name_event (h, e),
                          2 * r->since[omen_model_thread (h->model, e)] + read);
  OMEN_VEC_PUSH (h->first, name);
}

/* If the last observations are two turns of a loop and all of a third one but
   what comes now: that, as the loop's next turn has it; else 0. */
static uint64_t
next_of_spin (const recent *l, uint64_t place)
{
  for (uint32_t turn = 1; 3 * turn - 1 <= l->count; turn++) {
    uint32_t i = 0;
    while (i < 2 * turn - 1 && l->place[i] == l->place[i + turn]
           && l->observed[i] == l->observed[i + turn])
      i++;
    if (i == 2 * turn - 1 && l->place[turn - 1] == place)
      return l->observed[turn - 1];
  }
  return 0;
}

static void
note_read (recent *l, uint64_t place, uint64_t observed)
{
  for (uint32_t i = LAST - 1; i; i--) {
    l->place[i] = l->place[i - 1];
    l->observed[i] = l->observed[i - 1];
  }
  l->place[0] = place;
  l->observed[0] = observed;
  l->count += l->count < LAST;
}

static void
observe (reading *r, omen_eid e)
{
  omen_histories *h = r->h;
  const omen_event *event = omen_model_event (h->model, e);
  recent *l = &r->recent[event->thread];
  uint64_t observed = observation (h, e);
  uint64_t place = OMEN_PAIR (event->location, event->object);
  omen_observed *past = &h->all[event->thread];
  h->again[e] = next_of_spin (l, place);
  note_read (l, place, observed);
  if (observed == h->again[e])
    h->spins = true;
  else
    *past = omen_observed_and (*past, observed);
}

static void
read_event (reading *r, omen_eid e)
{
  omen_histories *h = r->h;
  const omen_event *event = omen_model_event (h->model, e);
  omen_observed *past = &h->all[event->thread];
  uint32_t group = omen_history_getvalue (h->model, e);
  bool inside = r->skipped[event->thread];
  h->before[e] = *past;
  if (inside)
    r->skipped[event->thread]--;
  else if (group)
    r->skipped[event->thread] = 2 * group - 1;
  if (omen_kind_reads (event->kind))
    name_pointer (r, e, true);
  if (omen_kind_writes (event->kind))
    name_pointer (r, e, false);
  if (!inside && observes (event)) {
    observe (r, e);
    r->since[event->thread] = 0;
  } else if (event->kind == OMEN_WRITE || event->kind == OMEN_ATOMIC_WRITE) {
    r->since[event->thread]++;
    r->recent[event->thread].count = 0;
  }
}

static void
find_initial (omen_histories *h)
{
  const omen_model *m = h->model;
  for (uint32_t a = 0; a < m->atom_count; a++) {
    h->initial[a] = OMEN_NONE;
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid e = m->accesses[i];
      source s;
      if (omen_kind_reads (omen_model_event (m, e)->kind)
          && m->from[omen_model_read_slot (m, e, a)] == OMEN_NONE
          && source_event (m->trace, e, true, &s)) {
        h->initial[a] = e;
        break;
      }
      if (omen_kind_writes (omen_model_event (m, e)->kind))
        break;
    }
  }
}

static void
find_serial (omen_histories *h)
{
  const omen_model *m = h->model;
  for (uint32_t r = 0; r < m->round_count; r++) {
    const omen_round *round = &m->rounds[r];
    uint32_t end = round[1].first_arrive;
    if (end - round->first_arrive != round->size || !round->size)
      continue;
    omen_eid last = omen_model_next (m, m->arrives[end - 1]);
    if (last != OMEN_NONE)
      h->serial[last] = true;
  }
}

static void
name_threads (omen_histories *h)
{
  const omen_trace *trace = h->model->trace;
  for (omen_tid t = 0; t < trace->threads.count; t++)
    h->names[t] = hash_text (
        trace->threads.data[t].path == OMEN_NONE
            ? omen_trace_thread_name (trace, t)
            : omen_names_text (&trace->strings, trace->threads.data[t].path));
}

omen_histories *
omen_histories_new (const omen_model *m)
{
  omen_histories *h = omen_zalloc (1, sizeof *h);
  reading r = { .h = h };
  h->model = m;
  h->names = omen_alloc ((m->thread_count + 1) * sizeof *h->names);
  h->before = omen_zalloc (m->event_count + 1, sizeof *h->before);
  h->all = omen_zalloc (m->thread_count + 1, sizeof *h->all);
  h->serial = omen_zalloc (m->event_count + 1, 1);
  h->again = omen_zalloc (m->event_count + 1, sizeof *h->again);
  h->initial = omen_alloc ((m->atom_count + 1) * sizeof *h->initial);
  omen_atoms_init (&h->atoms, m->trace);
  OMEN_ASSERT (h->atoms.count == m->atom_count);
  omen_map_init (&h->pointers);
  name_threads (h);
  find_initial (h);
  find_serial (h);
  r.since = omen_zalloc (m->thread_count + 1, sizeof *r.since);
  r.skipped = omen_zalloc (m->thread_count + 1, sizeof *r.skipped);
  r.recent = omen_zalloc (m->thread_count + 1, sizeof *r.recent);
  for (uint32_t i = 0; i < m->event_count; i++)
    read_event (&r, omen_model_nth (m, i));
  omen_free (r.since);
  omen_free (r.recent);
  omen_free (r.skipped);
  return h;
}

void
omen_histories_free (omen_histories *h)
{
  if (!h)
    return;
  omen_atoms_fini (&h->atoms);
  omen_map_fini (&h->pointers);
  OMEN_VEC_FINI (h->first);
  omen_free (h->names);
  omen_free (h->before);
  omen_free (h->all);
  omen_free (h->serial);
  omen_free (h->again);
  omen_free (h->initial);
  omen_free (h);
}
