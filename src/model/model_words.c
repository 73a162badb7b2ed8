/* Words that are used as locks: spin locks, futexes, flags taken by exchange.

     T1|rmw(f=0:1)  T1|w(x=1)  T1|aw(f=0)        T2|rmw(f=0:1)  T2|w(x=2)  …

   A value v of an atom means "free" if every write of v (1) is by the thread
   that holds the word: its last rmw that read v and wrote something else has
   not been followed by a write of v in that thread; or (2) is an rmw that reads
   v too; or (3) comes before all rmws that acquire the word. Then a held word
   is never v in a reordering in which the acquiring rmws read v, so the
   sections from such an rmw to the next write of v in its thread exclude each
   other.

   The values imply this, but only through all sections before, which the solver
   would rediscover for each question, in a time exponential in their number. So
   it is given the sections. */
#include "model/model_build.h"

#include <stdlib.h>

typedef struct finding {
  const omen_model *model;
  uint32_t atom, free;               /* value id */
  OMEN_VEC (omen_word_section) made; /* of this atom */
  OMEN_VEC (omen_eid) strays;        /* writes that must come first */
  bool strong;
} finding;

static bool
is_rmw (const omen_model *m, omen_eid e)
{
  return omen_model_event (m, e)->kind == OMEN_ATOMIC_RMW;
}

static uint32_t
value_read (const finding *f, omen_eid e)
{
  const omen_model *m = f->model;
  return m->value[omen_model_read_slot (m, e, f->atom)];
}

/* The value that the first rmw that changes the word reads: that rmw is taken
   to be an acquire. */
static uint32_t
free_value (const finding *f)
{
  const omen_model *m = f->model;
  for (uint32_t i = m->atoms[f->atom].first; i < m->atoms[f->atom + 1].first;
       i++) {
    omen_eid e = m->accesses[i];
    if (is_rmw (m, e)
        && value_read (f, e) != omen_model_written (m, e, f->atom))
      return value_read (f, e);
  }
  return OMEN_NONE;
}

static bool
is_alone (const finding *f, omen_eid e)
{
  return omen_model_atoms (f->model, e).count == 1;
}

/* Begin a section. If the write that the rmw read is not known to give v, it
   may do so, and must come before all acquires. */
static void
take_word (finding *f, omen_tid t, omen_eid e)
{
  const omen_model *m = f->model;
  omen_eid from = m->from[omen_model_read_slot (m, e, f->atom)];
  if (from != OMEN_NONE && omen_model_written (m, from, f->atom) != f->free)
    OMEN_VEC_PUSH (f->strays, from);
  f->strong &= omen_order_acquires (omen_model_event (m, e)->order);
  OMEN_VEC_PUSH (f->made,
                 ((omen_word_section){ f->atom, t, e, OMEN_NONE, false }));
}

/* Find the sections in the writes of one thread, in order. */
static bool
follow_cell (finding *f, const omen_cell *cell)
{
  const omen_model *m = f->model;
  bool taken = false;
  for (uint32_t i = cell->first_write; i < cell->first_read; i++) {
    omen_eid e = m->members[i];
    bool reads_free = is_rmw (m, e) && value_read (f, e) == f->free;
    bool frees = omen_model_written (m, e, f->atom) == f->free;
    if ((frees ? taken : reads_free) && !is_alone (f, e))
      return false;
    if (frees && taken) {
      const omen_event *event = omen_model_event (f->model, e);
      f->strong &= omen_kind_atomic (event->kind)
                   && omen_order_releases (event->order);
      OMEN_VEC_LAST (f->made).given = e;
      taken = false;
    } else if (frees && !reads_free) {
      OMEN_VEC_PUSH (f->strays, e);
    } else if (frees) {
      f->strong = false; /* breaks the chain from release to acquire */
    } else if (reads_free && !frees) {
      if (taken)
        return false;
      take_word (f, cell->thread, e);
      taken = true;
    }
  }
  return true;
}

static bool
strays_come_first (const finding *f)
{
  for (size_t i = 0; i < f->made.count; i++) {
    if (i && f->made.data[i].thread == f->made.data[i - 1].thread)
      continue; /* program order follows */
    for (size_t j = 0; j < f->strays.count; j++)
      if (!omen_model_must_before (f->model, f->strays.data[j],
                                   f->made.data[i].taken))
        return false;
  }
  return true;
}

/* Is the atom such a word, acquired by at least two threads? */
static bool
find_words (finding *f)
{
  const omen_model *m = f->model;
  OMEN_VEC_CLEAR (f->made);
  OMEN_VEC_CLEAR (f->strays);
  f->free = free_value (f);
  f->strong = true;
  if (f->free == OMEN_NONE)
    return false;
  for (uint32_t c = m->atoms[f->atom].first_cell;
       c < m->atoms[f->atom + 1].first_cell; c++)
    if (!follow_cell (f, &m->cells[c]))
      return false;
  return f->made.count
         && f->made.data[0].thread != OMEN_VEC_LAST (f->made).thread
         && strays_come_first (f);
}

/* Atoms that an rmw writes. */
static uint8_t *
mark_atoms (const omen_model *m)
{
  uint8_t *marks = omen_zalloc (m->atom_count, 1);
  for (omen_eid e = 0; e < m->event_count; e++)
    if (is_rmw (m, e)) {
      omen_span span = omen_model_atoms (m, e);
      for (uint32_t a = span.first; a < span.first + span.count; a++)
        marks[a] = 1;
    }
  return marks;
}

static int
compare_taken (const void *left, const void *right, void *context)
{
  const omen_word_section *all = context;
  omen_eid a = all[*(const uint32_t *)left].taken;
  omen_eid b = all[*(const uint32_t *)right].taken;
  return a < b ? -1 : a > b;
}

static void
sort_by_thread (omen_build *build)
{
  omen_model *m = build->model;
  uint32_t count = m->word_section_count;
  uint32_t *order = omen_build_array (build, count, sizeof *order);
  uint32_t *first
      = omen_build_array (build, (size_t)m->thread_count + 1, sizeof *first);
  uint32_t *fill = omen_zalloc (m->thread_count, sizeof *fill);
  for (uint32_t i = 0; i < count; i++)
    first[m->word_sections[i].thread + 1]++;
  omen_build_starts (first, m->thread_count);
  for (uint32_t i = 0; i < count; i++) {
    omen_tid t = m->word_sections[i].thread;
    order[first[t] + fill[t]++] = i;
  }
  for (omen_tid t = 0; t < m->thread_count; t++)
    if (fill[t])
      qsort_r (order + first[t], fill[t], sizeof *order, compare_taken,
               (void *)m->word_sections);
  m->word_order = order;
  m->word_first = first;
  omen_free (fill);
}

void
omen_build_words (omen_build *build)
{
  omen_model *m = build->model;
  finding f = { .model = m };
  OMEN_VEC (omen_word_section) all = { 0 };
  uint8_t *marks = mark_atoms (m);
  for (f.atom = 0; f.atom < m->atom_count; f.atom++)
    if (marks[f.atom] && find_words (&f))
      for (size_t i = 0; i < f.made.count; i++) {
        f.made.data[i].strong = f.strong;
        OMEN_VEC_PUSH (all, f.made.data[i]);
      }
  m->word_section_count = (uint32_t)all.count;
  m->word_sections = OMEN_BUILD_KEEP (build, all);
  sort_by_thread (build);
  OMEN_VEC_FINI (f.made);
  OMEN_VEC_FINI (f.strays);
  omen_free (marks);
}

/* ---- asking ---- */

enum { MOST_OPEN = 8 /* most sections of a thread that are checked */ };

/* Collect the sections around e and return their number. Within a thread, event
   ids are in order. */
static unsigned
sections_around (const omen_model *m, omen_eid e, bool strong,
                 const omen_word_section *around[MOST_OPEN])
{
  omen_tid t = omen_model_thread (m, e);
  uint32_t low;
  unsigned count = 0;
  low = OMEN_FIRST_NOT (k, m->word_first[t], m->word_first[t + 1],
                        m->word_sections[m->word_order[k]].taken < e);
  for (unsigned i = 0; i < MOST_OPEN && low > m->word_first[t]; i++) {
    const omen_word_section *s = &m->word_sections[m->word_order[--low]];
    if (s->strong >= strong && (s->given == OMEN_NONE || e < s->given))
      around[count++] = s;
  }
  return count;
}

bool
omen_model_share_word (const omen_model *m, omen_eid a, omen_eid b, bool strong)
{
  const omen_word_section *of_a[MOST_OPEN], *of_b[MOST_OPEN];
  unsigned first = sections_around (m, a, strong, of_a);
  unsigned second = first ? sections_around (m, b, strong, of_b) : 0;
  for (unsigned i = 0; i < first; i++)
    for (unsigned j = 0; j < second; j++)
      if (of_a[i]->atom == of_b[j]->atom)
        return true;
  return false;
}
