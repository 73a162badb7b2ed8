/* qsort. The comparison is woven code of the program; what it reads must be
   what the log says memory holds. So the sort moves pointers while it compares,
   and the elements once, at the end: logged as ranges that are read and
   written.

   The same steps as glibc's merge sort: halves, the first one not larger, and
   of equal elements the left one first; so the results are the same, too. */
#include "runtime/core/bytes.h"
#include "runtime/hooks/libc.h"

#include <stdlib.h>

OMEN_NEXT (void, qsort, (void *, size_t, size_t, __compar_fn_t));
OMEN_NEXT (void, qsort_r, (void *, size_t, size_t, __compar_d_fn_t, void *));

typedef struct sorting {
  __compar_d_fn_t compare;
  void *argument;
} sorting;

static void
sort (const sorting *s, char **at, size_t count, char **room)
{
  if (count < 2)
    return;
  size_t half = count / 2, left = 0, right = half, out = 0;
  sort (s, at, half, room);
  sort (s, at + half, count - half, room);
  while (left < half && right < count) {
    bool first = s->compare (at[left], at[right], s->argument) <= 0;
    room[out++] = at[first ? left++ : right++];
  }
  while (left < half)
    room[out++] = at[left++];
  for (size_t i = 0; i < out; i++)
    at[i] = room[i];
}

static void
put_back (char *base, size_t count, size_t size, char **order, char *room,
          uint64_t pc)
{
  omen_read (base, count * size, pc);
  for (size_t i = 0; i < count; i++)
    omen_bytes_copy (room + i * size, order[i], size);
  omen_bytes_copy (base, room, count * size);
  omen_wrote (base, count * size, pc);
}

/* False: no memory for it. */
static bool
sort_pointers (char *base, size_t count, size_t size, const sorting *s,
               uint64_t pc)
{
  size_t pointers = count * sizeof (char *), bytes;
  if (__builtin_mul_overflow (count, size, &bytes)
      || __builtin_add_overflow (bytes, 2 * pointers, &bytes))
    return false;
  char **order = omen_pages (bytes);
  if (!order)
    return false;
  for (size_t i = 0; i < count; i++)
    order[i] = base + i * size;
  sort (s, order, count, order + count);
  put_back (base, count, size, order, (char *)(order + 2 * count), pc);
  omen_pages_free (order, bytes);
  return true;
}

OMEN_EXPORT void
qsort_r (void *base, size_t count, size_t size, __compar_d_fn_t compare,
         void *argument)
{
  sorting s = { compare, argument };
  if (!omen_watching () || count < 2 || !size
      || !sort_pointers (base, count, size, &s, OMEN_PC))
    OMEN_REAL (qsort_r) (base, count, size, compare, argument);
}

static int
compare_two (const void *left, const void *right, void *argument)
{
  return (*(__compar_fn_t *)argument) (left, right);
}

OMEN_EXPORT void
qsort (void *base, size_t count, size_t size, __compar_fn_t compare)
{
  sorting s = { compare_two, &compare };
  if (!omen_watching () || count < 2 || !size
      || !sort_pointers (base, count, size, &s, OMEN_PC))
    OMEN_REAL (qsort) (base, count, size, compare);
}
