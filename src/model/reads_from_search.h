/* Private to model/reads_from*.c: the workspace, cuts and what closes them. */
#ifndef OMEN_MODEL_READS_FROM_SEARCH_H
#define OMEN_MODEL_READS_FROM_SEARCH_H

#include "model/reads_from.h"

/* What it takes to move a stretch of a thread behind events that it preceded in
   the trace. */
typedef struct omen_move {
  uint32_t start;  /* index: the outermost acquire of the locks held */
  uint32_t end;    /* index, one past the last */
  bool hard;       /* has something that cannot be moved: a wait, a try */
  uint32_t limits; /* in words: by thread, how many of its events may have
                      happened before, at most */
  uint32_t locks, lock_count; /* in words: locks acquired, with their modes */
} omen_move;

struct omen_rf_search {
  const omen_model *m;
  const omen_quick *quick;
  bool by_value;
  uint32_t threads;
  uint8_t *hard;     /* by event: depends on what others do or omit meanwhile */
  uint32_t *move_to; /* by event: in moves, up to it; or OMEN_NONE */
  uint32_t *move_out; /* by event: in moves, up to it and out of its locks */
  OMEN_VEC (omen_move) moves;
  omen_ids words;
  uint32_t *cut;    /* threads words, for one question */
  uint32_t *more;   /* the same */
  uint32_t *limits; /* the same */
};

static inline uint32_t
omen_index (const omen_model *m, omen_eid e)
{
  return m->trace->index[e];
}

static inline bool
omen_cut_has (const omen_model *m, const uint32_t *cut, omen_eid e)
{
  return omen_index (m, e) < cut[omen_model_thread (m, e)];
}

static inline void
omen_cut_join (uint32_t *cut, const uint32_t *words, uint32_t threads)
{
  for (uint32_t t = 0; t < threads; t++)
    if (cut[t] < words[t])
      cut[t] = words[t];
}

/* Add event e and its clock to the cut; true if the cut grew. */
static inline bool
omen_cut_take (const omen_model *m, uint32_t *cut, const uint32_t *words,
               omen_eid e)
{
  if (omen_cut_has (m, cut, e))
    return false;
  omen_cut_join (cut, words, m->thread_count);
  if (cut[omen_model_thread (m, e)] < omen_index (m, e) + 1)
    cut[omen_model_thread (m, e)] = omen_index (m, e) + 1;
  return true;
}

static inline bool
omen_modes_conflict (uint32_t a, uint32_t b)
{
  return a == OMEN_LOCK_WRITE || b == OMEN_LOCK_WRITE;
}

/* Of a list of events of one thread, how many have an index below `end`. */
uint32_t omen_rf_below (const omen_model *m, const omen_eid *list,
                        uint32_t count, uint32_t end);
/* The locks held by a thread after its first `end` events: a set. */
uint32_t omen_rf_held (const omen_model *m, omen_tid t, uint32_t end);

/* ---- reads_from_refute.c ---- */
bool omen_rf_refuted (omen_rf_search *s, const omen_triple *triple,
                      omen_rf_order order);
/* ---- reads_from_plan.c ---- */
bool omen_rf_planned (omen_rf_search *s, const omen_triple *triple,
                      omen_rf_order order, omen_rf_plan *plan);
/* ---- reads_from_move.c: ids in moves ---- */
uint32_t omen_rf_move_to (omen_rf_search *s, omen_eid e);
uint32_t omen_rf_move_out (omen_rf_search *s, omen_eid e);
/* Lower the limits by the accesses of e, except those of atom `but`. */
void omen_rf_limit (const omen_rf_search *s, omen_eid e, uint32_t but,
                    uint32_t *limits);

#endif
