/* Sorts the rows of a state and drops duplicates, without memory or deep
   recursion. */
#include "monitor/threads_state.h"

#include <string.h>

static int
compare_rows (const omen_threads_program *p, const uint32_t *a,
              const uint32_t *b)
{
  for (uint32_t i = 0; i < p->width; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

static void
sift (const omen_threads_program *p, uint32_t *rows, uint32_t from,
      uint32_t count)
{
  uint32_t spare[OMEN_THREADS_WIDTH_MAX], child;
  size_t bytes = p->width * sizeof *rows;
  while ((child = 2 * from + 1) < count) {
    uint32_t *a = rows + (size_t)from * p->width;
    uint32_t *b = rows + (size_t)child * p->width;
    if (child + 1 < count && compare_rows (p, b, b + p->width) < 0) {
      child++;
      b += p->width;
    }
    if (compare_rows (p, a, b) >= 0)
      return;
    memcpy (spare, a, bytes);
    memcpy (a, b, bytes);
    memcpy (b, spare, bytes);
    from = child;
  }
}

/* Heap sort, then drop duplicates. */
void
omen_threads_put_in_order (omen_threads_mover *m)
{
  const omen_threads_program *p = &m->p;
  uint32_t spare[OMEN_THREADS_WIDTH_MAX], kept = 0;
  size_t bytes = p->width * sizeof *m->rows;
  for (uint32_t i = m->count / 2; i-- > 0;)
    sift (p, m->rows, i, m->count);
  for (uint32_t end = m->count; end-- > 1;) {
    uint32_t *last = m->rows + (size_t)end * p->width;
    memcpy (spare, m->rows, bytes);
    memcpy (m->rows, last, bytes);
    memcpy (last, spare, bytes);
    sift (p, m->rows, 0, end);
  }
  for (uint32_t i = 0; i < m->count; i++) {
    const uint32_t *row = m->rows + (size_t)i * p->width;
    if (kept && !compare_rows (p, row, m->rows + (size_t)(kept - 1) * p->width))
      continue;
    memmove (m->rows + (size_t)kept++ * p->width, row, bytes);
  }
  OMEN_ASSERT (kept <= m->count && (kept || !m->count));
  m->count = kept;
  OMEN_CHECK (omen_threads_in_order (p, m->rows, m->count));
}

bool
omen_threads_in_order (const omen_threads_program *p, const uint32_t *rows,
                       uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    if (compare_rows (p, rows + (size_t)(i - 1) * p->width,
                      rows + (size_t)i * p->width)
        >= 0)
      return false;
  return true;
}
