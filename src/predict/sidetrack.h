/* SideTrack: predicts atomicity violations of other runs from lock operations
   alone, one event at a time.

     T1|begin(A)|
     T1|acq(m)| …        first acquire in A
     T1|acq(m)| …        second one: from the first to here A is vulnerable
     T1|end(A)|
     T2|acq(m)|          concurrent with the window: after-error

   before  the culprit's acquire came before the first acquire, concurrent in
   it came between the two: the run itself shows the violation after   it came
   after the second, concurrent

   Uses acquire, release, fork, join, begin, end, enter and exit (a condition
   wait releases its lock, the wake acquires it). The rules assume a program
   without races, and what they report may still be impossible (a deadlock in
   the window): a report is a candidate until the engine agrees.

   Blame: the blocks that were open at both acquires, innermost first. Blocks
   may nest and need not be closed in order; each one is a transaction of its
   own.

   Where the paper compares vector clocks of acquires and windows, epochs
   suffice: an acquire by t at its time k happens before every event whose clock
   has t at k or later. Only threads and releases have vector clocks. Cost:
   O(threads) an event, O(log depth) for blame; memory: threads x (threads +
   locks), nothing per event. Ids may be reused: a lock's after
   omen_sidetrack_forget, a thread's by a fork (the new thread's events then
   count as after the old one's).

   Source: Yi, Sadowski, Flanagan: SideTrack, PADTAD 2009, Figure 6. */
#ifndef OMEN_PREDICT_SIDETRACK_H
#define OMEN_PREDICT_SIDETRACK_H

#include "wire/event.h"

typedef enum omen_sidetrack_error {
  OMEN_BEFORE_ERROR,
  OMEN_IN_ERROR,
  OMEN_AFTER_ERROR,
  OMEN_SIDETRACK_ERRORS
} omen_sidetrack_error;

/* An acquire: its event, thread and location. */
typedef struct omen_sidetrack_site {
  omen_eid event;
  omen_tid thread;
  uint32_t location;
} omen_sidetrack_site;

/* A blamed block: kind (begin or enter), label or function, opening event. */
typedef struct omen_blamed {
  unsigned kind;
  uint32_t name;
  omen_eid open;
} omen_blamed;

typedef struct omen_sidetrack_report {
  omen_sidetrack_error error;
  omen_lid lock;
  omen_sidetrack_site first, culprit, second;
  const omen_blamed *blame; /* innermost first; at least one */
  uint32_t blames;
} omen_sidetrack_report;

typedef struct omen_sidetrack_options {
  /* Is a block of this kind and name atomic? `entry`: as the first function of
     a forked thread. Called once for each kind, name and entry. */
  bool (*atomic) (void *context, unsigned kind, uint32_t name, bool entry);
  /* The report is valid during the call. */
  void (*found) (void *context, const omen_sidetrack_report *report);
  void *context;
  uint32_t horizon; /* ticks of a thread's clock until all clocks restart; 0:
                       the most possible */
  bool all; /* report every violation; otherwise one for each error, blamed
               block and locations of the three acquires */
} omen_sidetrack_options;

typedef struct omen_sidetrack omen_sidetrack;

omen_sidetrack *omen_sidetrack_new (const omen_sidetrack_options *options);
void omen_sidetrack_free (omen_sidetrack *sidetrack);
/* The next event of the run; reports name it `e`. Ids are dense; new ones may
   appear at any time. */
void omen_sidetrack_push (omen_sidetrack *sidetrack, const omen_event *event,
                          omen_eid e);

/* From now on the id denotes another lock. O(threads). */
void omen_sidetrack_forget (omen_sidetrack *sidetrack, omen_lid lock);

const char *omen_sidetrack_text (omen_sidetrack_error error);

#endif
