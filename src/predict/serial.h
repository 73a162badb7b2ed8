/* Is the recorded run conflict-serializable? One pass; finds cycles of any
   length.

     T1|begin(A)|  T1|w(x)|             A -> B by x
                                T2|begin(B)|  T2|r(x)|  T2|w(y)|
     T1|r(y)|                           B -> A by y: a cycle, reported here

   A transaction is an outermost atomic block, or an event outside of any. Edges
   go from an event to a later one of another transaction: program order,
   conflicting accesses, a release and a later acquire of the lock, fork and
   join. The run is serializable if and only if this graph has no cycle, and a
   cycle is always closed by an event of a transaction that is still open.

   So it is enough to know which OPEN transactions reach what: a set of threads,
   one bit each, for every variable (its last write, the reads since), lock and
   thread, and for every open transaction. What an open transaction has touched
   has its bit; the transactions that reach it are determined when needed. When
   it ends, its bit is replaced everywhere by the bits of those.

   Cost: O(threads / 64) a touched variable; an end costs the bits that it
   replaces. No vector clocks are copied. Follows AeroDrome (Mathur,
   Viswanathan, ASPLOS 2020), with bits instead of clocks of begin events. */
#ifndef OMEN_PREDICT_SERIAL_H
#define OMEN_PREDICT_SERIAL_H

#include "model/model.h"

typedef struct omen_serial_options {
  const uint8_t *chosen; /* by block: is it atomic? */
  /* Event e, of the transaction that `block` (in model->blocks) opened, closes
     a cycle. Called once a transaction. Return false to stop. */
  bool (*found) (void *context, uint32_t block, omen_eid e);
  void *context;
} omen_serial_options;

void omen_serial_check (const omen_model *model,
                        const omen_serial_options *options);

/* To explain a cycle: the graph of transactions; built once, linear in the
   run. */
typedef struct omen_serial_graph omen_serial_graph;

omen_serial_graph *omen_serial_graph_new (const omen_model *model,
                                          const uint8_t *chosen);
void omen_serial_graph_free (omen_serial_graph *graph);
/* A shortest cycle through the transaction of e, appended as pairs of events,
   one for each edge. The first edge leaves the transaction, the last one
   returns to it. `accesses`: uses edges of accesses and program order anywhere
   in the run. Otherwise uses events up to e only, and the last edge leads to e,
   so that the transaction is interrupted. False: there is none. */
bool omen_serial_cycle (const omen_serial_graph *graph, omen_eid e,
                        bool accesses, omen_ids *edges);

#endif
