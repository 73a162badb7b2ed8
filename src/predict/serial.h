/* Was the run itself conflict-serializable? One pass, cycles of any length.

     T1|begin(A)|  T1|w(x)|             A -> B by x
                                T2|begin(B)|  T2|r(x)|  T2|w(y)|
     T1|r(y)|                           B -> A by y: a cycle, told here

   A transaction is an outermost atomic block, or an event outside of any. Edges
   go from an event to a later one of another transaction: program order,
   conflicting accesses, a release and a later acquire of the lock, fork and
   join. The run is serializable if and only if this graph has no cycle, and a
   cycle is always closed by an event of a transaction that is still open.

   So it is enough to know which OPEN transactions reach what: a set of threads,
   one bit each, for every variable (its last write, the reads since), lock and
   thread, and for every open transaction. What an open transaction has touched
   refers to it by its bit; who reaches it is looked up when needed. When it
   ends, its bit is replaced, where it stands, by those that reach it.

   Cost: O(threads / 64) a touched variable; an end costs the bits that it
   replaces. No clock is ever copied. In the manner of AeroDrome (Mathur,
   Viswanathan, ASPLOS 2020), whose clocks of begin events are these bits. */
#ifndef OMEN_PREDICT_SERIAL_H
#define OMEN_PREDICT_SERIAL_H

#include "model/model.h"

typedef struct omen_serial_options {
  const uint8_t *chosen; /* by block: atomic */
  /* Event e of the transaction that `block` (in model->blocks) opened closes a
     cycle. Once a transaction. False: stop. */
  bool (*found) (void *context, uint32_t block, omen_eid e);
  void *context;
} omen_serial_options;

void omen_serial_check (const omen_model *model,
                        const omen_serial_options *options);

/* Why: the graph of the transactions, built once, linear in the run. */
typedef struct omen_serial_graph omen_serial_graph;

omen_serial_graph *omen_serial_graph_new (const omen_model *model,
                                          const uint8_t *chosen);
void omen_serial_graph_free (omen_serial_graph *graph);
/* A shortest cycle of the transaction that e belongs to: pairs of events, an
   edge each, appended. The first edge leaves the transaction, the last one
   comes back. `accesses`: by accesses and program order, in all of the run;
   otherwise by events up to e, to which the last one leads: what the first one
   leads to is then between two events of the transaction. False: there is
   none. */
bool omen_serial_cycle (const omen_serial_graph *graph, omen_eid e,
                        bool accesses, omen_ids *edges);

#endif
