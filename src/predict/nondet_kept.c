/* Does the challenger of a read write what it wrote? Semantics lets an rmw that
   reads something else write something else, but a compare that sees another
   value writes nothing, and a recording does not say which rmws are compares.
   So there such a challenger counts only if it has read what it had read. */
#include "predict/nondet_kept.h"

typedef struct cell {
  omen_eid last; /* write, OMEN_NONE: the initial one */
  bool wrong;    /* by an rmw that read something else */
} cell;

static bool
sees_right (const omen_model *m, const cell *c, omen_eid rmw, uint32_t atom,
            bool by_value)
{
  return !c->wrong
         && (by_value ? omen_model_same_value (m, rmw, c->last, atom)
                      : omen_model_same_write (m, rmw, c->last, atom));
}

/* What e leaves in those of the atoms that it writes; has it, if it reads, read
   what it had read in them? */
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
