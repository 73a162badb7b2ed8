/* Private to src/model/model*.c: a model while it is built. Each omen_build_…
   function fills in its tables; they run in the order of this file, since later
   ones read what earlier ones wrote. */
#ifndef OMEN_MODEL_MODEL_BUILD_H
#define OMEN_MODEL_MODEL_BUILD_H

#include "model/model.h"

/* Owner of the arrays of a finished model. */
struct omen_model_store {
  OMEN_VEC (void *) arrays;
  omen_base_order base;
  omen_atoms atoms;
};

typedef struct omen_build {
  omen_model *model;
  const omen_trace *trace;
  uint32_t *at, *set_of;
  omen_cid *clock;
  omen_ids rare; /* events of kinds other than plain accesses and lock
                    operations, in order */
} omen_build;

/* Allocate an array that the model owns. */
void *omen_build_array (omen_build *build, size_t count, size_t size);
/* Hand over the data of a vector to the model, trimmed to its size. */
#define OMEN_BUILD_KEEP(build, vec)                                            \
  omen_build_keep ((build), (vec).data, (vec).count * sizeof *(vec).data)
void *omen_build_keep (omen_build *build, void *array, size_t bytes);

/* Counts into starts: first[i + 1] counts the entries of i on entry; on return
   first[i] is where they start. `count` + 1 entries. */
uint32_t omen_build_starts (uint32_t *first, uint32_t count);

/* Group the rare events of these kinds (bits 1 << kind) by object, in *list;
   returns the range table, of `count` + 1 entries. */
uint32_t *omen_build_group (omen_build *build, uint64_t kinds, uint32_t count,
                            const omen_eid **list);
#define OMEN_KIND_BIT(kind) ((uint64_t)1 << (kind))

static inline omen_eid
omen_build_nth (const omen_build *build, size_t position)
{
  const omen_eid *order = build->model->order;
  return order ? order[position] : (omen_eid)position;
}

/* False: more slots than fit. */
bool omen_build_memory (omen_build *build, omen_err *err);
void omen_build_cells (omen_build *build, const uint32_t *tags);
void omen_build_locks (omen_build *build);
void omen_build_waits (omen_build *build);
void omen_build_servers (omen_build *build);
void omen_build_semaphores (omen_build *build);
void omen_build_barriers (omen_build *build);
void omen_build_blocks (omen_build *build);
void omen_build_clocks (omen_build *build);
void omen_build_words (omen_build *build);

#endif
