/* Well-formedness: of the order of the file first, of a base order if that
   fails. */
#include "trace/wellformed.h"
#include "trace/wellformed_check.h"

#include <stdio.h>

/* ---- the state of a walk ---- */

static void *
table (const omen_trace *trace, omen_operand operand, size_t size)
{
  return omen_zalloc (trace->names[operand].count, size);
}

void
omen_check_init (omen_wellformed_check *check, const omen_trace *trace,
                 const omen_eid *order)
{
  uint32_t locks = trace->names[OMEN_OPERAND_LOCK].count;
  *check = (omen_wellformed_check){ .trace = trace,
                                    .order = order,
                                    .failed = OMEN_NONE };
  check->threads = omen_zalloc (trace->threads.count, sizeof *check->threads);
  for (size_t t = 0; t < trace->threads.count; t++)
    if (trace->threads.data[t].forked_by != OMEN_NONE)
      check->threads[t].flags = OMEN_THREAD_UNBORN;
  omen_atoms_init (&check->atoms, trace);
  check->contents = omen_alloc (check->atoms.count * sizeof *check->contents);
  omen_check_initial (check);
  omen_holds_init (&check->holds, trace);
  check->irregular = omen_zalloc (locks, sizeof *check->irregular);
  check->overlaps = omen_alloc (locks * sizeof *check->overlaps);
  for (uint32_t l = 0; l < locks; l++)
    check->overlaps[l] = (omen_check_overlap){ OMEN_NONE, OMEN_NONE, 0 };
  check->conditions
      = table (trace, OMEN_OPERAND_CONDITION, sizeof *check->conditions);
  check->semaphores
      = table (trace, OMEN_OPERAND_SEMAPHORE, sizeof *check->semaphores);
  check->barriers
      = table (trace, OMEN_OPERAND_BARRIER, sizeof *check->barriers);
  omen_map_init (&check->arrived);
  omen_check_count_semaphores (check);
}

void
omen_check_fini (omen_wellformed_check *check)
{
  const omen_trace *trace = check->trace;
  for (size_t t = 0; t < trace->threads.count; t++)
    omen_free (check->threads[t].open);
  for (uint32_t c = 0; c < trace->names[OMEN_OPERAND_CONDITION].count; c++)
    OMEN_VEC_FINI (check->conditions[c].next);
  omen_free (check->threads);
  omen_atoms_fini (&check->atoms);
  omen_free (check->contents);
  omen_holds_fini (&check->holds);
  omen_free (check->irregular);
  omen_free (check->overlaps);
  omen_free (check->conditions);
  omen_free (check->semaphores);
  omen_free (check->barriers);
  omen_map_fini (&check->arrived);
  OMEN_VEC_FINI (check->misuses);
}

/* ---- locks taken while another thread holds them ---- */

/* Scan the locks of the rest of the trace, where the first walk stopped early:
   an invalid operation there makes its lock irregular, too. */
static void
finish_locks (omen_wellformed_check *check)
{
  const omen_trace *trace = check->trace;
  OMEN_ASSERT (check->failed != OMEN_NONE);
  for (size_t e = check->failed; e < trace->events.count; e++) {
    omen_lock_step step
        = omen_holds_step (&check->holds, &trace->events.data[e]);
    if (step.odd)
      check->irregular[step.lock] = 1;
  }
}

/* The first overlap of a regular lock; *more is the number of the others. */
static const omen_check_overlap *
first_overlap (const omen_wellformed_check *check, uint32_t *more)
{
  const omen_check_overlap *first = NULL;
  *more = 0;
  for (uint32_t l = 0; l < check->trace->names[OMEN_OPERAND_LOCK].count; l++) {
    const omen_check_overlap *overlap = &check->overlaps[l];
    if (!overlap->count || check->irregular[l])
      continue;
    *more += overlap->count;
    if (!first || overlap->event < first->event)
      first = overlap;
  }
  *more -= first != NULL;
  return first;
}

static bool
refuse_overlap (omen_wellformed_check *check, const omen_check_overlap *overlap,
                omen_eid misread)
{
  const char *holder = omen_trace_thread_name (check->trace, overlap->holder);
  char event[OMEN_CHECK_EVENT_MAX];
  OMEN_ASSERT (overlap->holder != OMEN_NONE);
  check->why.set = false;
  if (misread == OMEN_NONE)
    return omen_check_fail (
        check, overlap->event,
        "acquires a lock that %.80s holds and never releases", holder);
  return omen_check_fail (
      check, overlap->event,
      "acquires a lock that %.80s holds; acquired later, %s would not see the "
      "same",
      holder, omen_check_describe (check->trace, misread, event));
}

static void
warn_overlap (const omen_wellformed_check *check,
              const omen_check_overlap *overlap, uint32_t more, char *text,
              size_t room)
{
  char event[OMEN_CHECK_EVENT_MAX], others[48] = "";
  if (more)
    snprintf (others, sizeof others, " (and %u more like this)", more);
  snprintf (text, room,
            "%s: acquires a lock that %.80s holds; read as if it came later%s",
            omen_check_describe (check->trace, overlap->event, event),
            omen_trace_thread_name (check->trace, overlap->holder), others);
}

/* ---- what is handed out ---- */

static uint32_t *
positions (const omen_eid *order, size_t count)
{
  uint32_t *position = omen_alloc (count * sizeof *position);
  for (size_t i = 0; i < count; i++)
    position[order[i]] = (uint32_t)i;
  return position;
}

static void
move_results (omen_wellformed_check *check, omen_eid *order,
              omen_base_order *base)
{
  uint32_t semaphores = check->trace->names[OMEN_OPERAND_SEMAPHORE].count;
  OMEN_ASSERT (check->failed == OMEN_NONE && !check->why.set);
  base->order = order;
  base->position = order ? positions (order, check->trace->events.count) : NULL;
  base->irregular = check->irregular;
  check->irregular = NULL;
  base->sem_start = omen_alloc (semaphores * sizeof *base->sem_start);
  for (uint32_t s = 0; s < semaphores; s++)
    base->sem_start[s] = check->semaphores[s].start;
  base->misuses.data = check->misuses.data;
  base->misuses.count = check->misuses.count;
  base->misuses.room = check->misuses.room;
  check->misuses.data = NULL;
}

void
omen_base_order_fini (omen_base_order *base)
{
  omen_free (base->order);
  omen_free (base->position);
  omen_free (base->irregular);
  omen_free (base->sem_start);
  OMEN_VEC_FINI (base->misuses);
  *base = (omen_base_order){ 0 };
}

/* Check the trace in a base order, after the walk in the order of the file. */
static bool
reorder (omen_wellformed_check *check, const omen_check_overlap *overlap,
         uint32_t more, omen_base_order *base)
{
  omen_eid *order = omen_base_order_find (check->trace, check->irregular);
  omen_eid misread;
  omen_wellformed_check again;
  bool ok;
  if (!order)
    return refuse_overlap (check, overlap, OMEN_NONE);
  misread = omen_base_order_misread (check->trace, &check->atoms, order);
  if (misread != OMEN_NONE) {
    omen_free (order);
    return refuse_overlap (check, overlap, misread);
  }
  omen_check_init (&again, check->trace, order);
  ok = omen_check_run (&again);
  check->why = again.why;
  if (ok && base) {
    move_results (&again, order, base);
    order = NULL;
    warn_overlap (check, overlap, more, base->warning, sizeof base->warning);
  }
  omen_free (order);
  omen_check_fini (&again);
  return ok;
}

bool
omen_wellformed (const omen_trace *trace, omen_base_order *base, omen_err *err)
{
  omen_wellformed_check check;
  const omen_check_overlap *overlap = NULL;
  uint32_t more;
  bool ok;
  OMEN_REQUIRE (trace->index);
  if (base)
    *base = (omen_base_order){ 0 };
  omen_check_init (&check, trace, NULL);
  ok = omen_check_run (&check);
  if (check.overlapped) {
    if (!ok)
      finish_locks (&check);
    overlap = first_overlap (&check, &more);
  }
  if (overlap)
    ok = reorder (&check, overlap, more, base);
  else if (ok && base)
    move_results (&check, NULL, base);
  if (!ok && err && !err->set)
    *err = check.why;
  omen_check_fini (&check);
  return ok;
}
