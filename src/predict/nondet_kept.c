/* Does the rival of a read still write its value? By the semantics an rmw that
   reads another value writes another value; but a program that adds may then
   write just what the read saw. So in recordings a rival that is an rmw counts
   only if it reads what it read in the trace. */
#include "predict/nondet_kept.h"

typedef struct cell {
  omen_eid last; /* write, OMEN_NONE: the initial one */
  bool wrong;    /* written by an rmw that read another value */
} cell;

static bool
sees_right (const omen_model *m, const cell *c, omen_eid rmw, uint32_t atom,
            bool by_value)
{
  return !c->wrong
         && (by_value ? omen_model_same_value (m, rmw, c->last, atom)
                      : omen_model_same_write (m, rmw, c->last, atom));
}

/* Apply the writes of e to the cells. Returns false if e is an rmw that reads
   another value than in the trace. */
static bool
follow_atoms (const omen_model *m, omen_eid e, omen_span atoms, cell *cells,
              bool by_value)
{
  omen_span own = omen_model_atoms (m, e);
  bool rmw = omen_model_event (m, e)->kind == OMEN_ATOMIC_RMW, right = true;
  for (uint32_t i = 0; i < atoms.count && rmw; i++)
    if (atoms.first + i - own.first < own.count)
      right &= sees_right (m, &cells[i], e, atoms.first + i, by_value);
  for (uint32_t i = 0; i < atoms.count; i++)
    if (atoms.first + i - own.first < own.count)
      cells[i] = (cell){ e, !right };
  return right;
}

bool
omen_challenger_kept (const omen_model *m, const omen_ids *sequence,
                      omen_eid challenger, bool by_value)
{
  omen_span atoms;
  cell *cells;
  bool kept = true;
  if (!m->trace->items.count || challenger == OMEN_NONE
      || omen_model_event (m, challenger)->kind != OMEN_ATOMIC_RMW)
    return true;
  atoms = omen_model_atoms (m, challenger);
  cells = omen_alloc (atoms.count * sizeof *cells);
  for (uint32_t i = 0; i < atoms.count; i++)
    cells[i] = (cell){ OMEN_NONE, false };
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = sequence->data[i];
    unsigned kind = omen_model_event (m, e)->kind;
    if (omen_kind_class (kind) != OMEN_CLASS_ACCESS || !omen_kind_writes (kind))
      continue;
    kept = follow_atoms (m, e, atoms, cells, by_value);
    if (e == challenger)
      break;
  }
  omen_free (cells);
  return kept;
}
