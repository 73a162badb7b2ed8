/* Private to threads*.c, the engine for patterns: a machine's words, states,
   and what becomes of them by one letter.

   An attempt is a row of words: a node for each part, a thread for each thread
   name that is bound, and a region for each region name. A region is identified
   by its thread and nesting depth, and ends with the end that pairs with its
   begin; an attempt that does not take the end of its region is dropped. The
   attempt that has not begun is not stored: it is always possible. */
#ifndef OMEN_MONITOR_THREADS_STATE_H
#define OMEN_MONITOR_THREADS_STATE_H

#include "monitor/machine.h"
#include "monitor/threads.h"

/* Values of a thread name or region in a row. */
#define OMEN_THREADS_FREE OMEN_NONE
#define OMEN_THREADS_ENDED (OMEN_NONE - 1)

#define OMEN_THREADS_WIDTH_MAX                                                 \
  (OMEN_THREADS_PARTS_MAX + OMEN_THREADS_NAMES_MAX                             \
   + 2 * OMEN_THREADS_REGIONS_MAX)

/* ---- words ---- */

typedef struct omen_threads_program {
  const uint32_t *head, *starts, *nodes, *edges, *lands;
  uint32_t parts, width; /* words of a row */
} omen_threads_program;

omen_threads_program omen_threads_program_of (const uint32_t *words);
bool omen_threads_valid (const uint32_t *words, uint32_t count, uint32_t events,
                         uint32_t predicates);

static inline uint32_t
omen_threads_edges_end (const omen_threads_program *p, uint32_t node)
{
  OMEN_ASSERT (node < p->head[OMEN_THREADS_NODES]);
  return node + 1 < p->head[OMEN_THREADS_NODES] ? p->nodes[2 * node + 2]
                                                : p->head[OMEN_THREADS_EDGES];
}

static inline uint32_t
omen_threads_flags (const omen_threads_program *p, uint32_t node)
{
  OMEN_ASSERT (node < p->head[OMEN_THREADS_NODES]);
  return p->nodes[2 * node + 1];
}

/* May other events come between the one that led here and the next? */
static inline bool
omen_threads_is_patient (const omen_threads_program *p, uint32_t node)
{
  return omen_threads_flags (p, node) & (OMEN_THREADS_WAITS | OMEN_THREADS_END);
}

/* ---- states ---- */

typedef struct omen_threads_depth {
  uint32_t thread, open;
} omen_threads_depth;

typedef struct omen_threads_state {
  uint32_t *rows;             /* ascending, all different */
  omen_threads_depth *depths; /* threads with open regions, ascending */
  uint32_t count, depth_count;
  uint64_t match;
} omen_threads_state;

/* ---- one letter: threads_move.c, threads_order.c ---- */

typedef struct omen_threads_mover {
  omen_threads_program p;
  const omen_letter *letter;
  const omen_memory *memory;
  uint32_t region; /* nesting of the region that begins or ends here, or 0 */
  bool begins, ends;
  uint32_t *rows;
  uint32_t count, room;
  bool match, full;
} omen_threads_mover;

/* Append what an attempt becomes to the mover's rows; then the attempts that
   begin. */
void omen_threads_move (omen_threads_mover *m, const uint32_t *row);
void omen_threads_begin (omen_threads_mover *m);
/* Sort the rows and drop duplicates. */
void omen_threads_put_in_order (omen_threads_mover *m);
bool omen_threads_in_order (const omen_threads_program *p, const uint32_t *rows,
                            uint32_t count);

#endif
