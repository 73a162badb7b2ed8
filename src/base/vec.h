/* A growable array of any type, as a struct of three fields:

     OMEN_VEC (uint32_t) ids = { 0 };
     OMEN_VEC_PUSH (ids, 7);
     for (size_t i = 0; i < ids.count; i++) use (ids.data[i]);
     OMEN_VEC_FINI (ids);

   Elements move when it grows: keep indices, not pointers. */
#ifndef OMEN_BASE_VEC_H
#define OMEN_BASE_VEC_H

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define OMEN_VEC(type)                                                         \
  struct {                                                                     \
    type *data;                                                                \
    size_t count, room;                                                        \
  }

typedef OMEN_VEC (uint32_t) omen_ids;

/* Makes room for at least `want` elements in total; sets *room. */
void *omen_vec_grow (void *data, size_t size, size_t want, size_t *room);

#define OMEN_VEC_RESERVE(v, want)                                              \
  ((want) > (v).room                                                           \
       ? (void)((v).data = omen_vec_grow ((v).data, sizeof *(v).data, (want),  \
                                          &(v).room))                          \
       : (void)0)
#define OMEN_VEC_PUSH(v, element)                                              \
  (OMEN_VEC_RESERVE (v, (v).count + 1), (v).data[(v).count++] = (element))
#define OMEN_VEC_POP(v) ((v).data[--(v).count])
#define OMEN_VEC_LAST(v) ((v).data[(v).count - 1])
#define OMEN_VEC_CLEAR(v) ((void)((v).count = 0))
/* Replaces the elements of `to` by those of another array of that type. */
#define OMEN_VEC_COPY(to, from)                                                \
  (OMEN_VEC_RESERVE (to, (from).count),                                        \
   (from).count ? (void)memcpy ((to).data, (from).data,                        \
                                (from).count * sizeof *(to).data)              \
                : (void)0,                                                     \
   (void)((to).count = (from).count))
#define OMEN_VEC_FINI(v)                                                       \
  (omen_free ((v).data), (v).data = NULL, (v).count = (v).room = 0)

#define OMEN_VEC_SORT(v, compare)                                              \
  ((v).count > 1 ? qsort ((v).data, (v).count, sizeof *(v).data, (compare))    \
                 : (void)0)

/* For qsort: ascending numbers. */
int omen_compare_u32 (const void *left, const void *right);
int omen_compare_u64 (const void *left, const void *right);

/* Binary search: the first index i in [from, end) for which `holds` is false,
   or `end`. It must be true for all smaller ones and false for all greater
   ones.

     size_t n = OMEN_FIRST_NOT (i, 0, ids.count, ids.data[i] < id); */
#define OMEN_FIRST_NOT(i, from, end, holds)                                    \
  ({                                                                           \
    __typeof__ ((end) + 0u) low_ = (from), high_ = (end);                      \
    while (low_ < high_) {                                                     \
      __typeof__ (low_) i = low_ + (high_ - low_) / 2;                         \
      if (holds)                                                               \
        low_ = i + 1;                                                          \
      else                                                                     \
        high_ = i;                                                             \
    }                                                                          \
    low_;                                                                      \
  })

/* The first free place from i on, or their count. By place, `next` has itself
   if it is free, else a place nearer to the next free one; the path is halved,
   as a union-find does. */
static inline uint32_t
omen_first_free (omen_ids *next, uint32_t i)
{
  uint32_t *to = next->data, count = (uint32_t)next->count;
  while (i < count && to[i] != i) {
    if (to[i] < count)
      to[i] = to[to[i]];
    i = to[i];
  }
  return i;
}

#endif
