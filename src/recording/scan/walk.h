/* The walk of settled.h over all threads, each as far as it can go until it
   waits for another one's end or arrival.

     walk.c        which thread is next; forks, joins and barriers
     walk_uses.c   what uses memory, locks and functions

     omen_scan_walk w = { .file = file, .summary = summary, … };
     if (omen_walk_begin (&w) && omen_walk_go (&w))
       …                                  w.shadow, w.locks, w.candidates
     omen_walk_end (&w); */
#ifndef OMEN_RECORDING_SCAN_WALK_H
#define OMEN_RECORDING_SCAN_WALK_H

#include "recording/scan/locks.h"
#include "recording/scan/pieces.h"
#include "recording/scan/scan.h"
#include "recording/scan/shadow.h"

/* A round of a barrier; `clocks` joins those of the arrivals. */
typedef struct omen_walk_round {
  uint32_t missing, leaving;
  uint32_t *clocks;
} omen_walk_round;

/* A thread of the program. */
typedef struct omen_walker {
  uint32_t *clocks; /* by thread: its clock that this one comes after */
  omen_holder holder;
  bool born, over, forked;
  bool on_atomic;  /* it accessed an atomic and has written nothing since */
  uint64_t blocks; /* nesting depth of marked atomic blocks */
  omen_map rounds; /* barrier -> the round that it arrived in last */
} omen_walker;

typedef struct omen_scan_walk {
  omen_notes_file *file;
  omen_notes_summary *summary;
  omen_plans plans;
  omen_shadow shadow;
  omen_locks locks;
  const omen_barriers *barriers;
  OMEN_VEC (omen_walker) walkers;
  uint32_t room;   /* capacity of walkers, and entries in each clock */
  omen_map index;  /* thread id -> walker */
  omen_map rounds; /* round -> entry of round_list */
  OMEN_VEC (omen_walk_round) round_list;
  omen_map sizes; /* of heap blocks, by address: entry of size_list */
  OMEN_VEC (uint64_t) size_list;
  omen_map outside; /* pc -> omen_outside_code */
  uint32_t now;     /* the walker at work */
  uint64_t items, steps;
  bool uses, destroys; /* conditions, semaphores, barriers; these or locks */
  unsigned candidates;
  bool landed; /* a jump (longjmp, exception) has left functions */
  bool failed;
} omen_scan_walk;

/* ---- walk.c ---- */
/* Walker t is that of thread t of the file. False: the file cannot be walked by
   pieces (pieces.h). */
bool omen_walk_begin (omen_scan_walk *walk);
/* False: some threads wait forever, or the file is malformed. */
bool omen_walk_go (omen_scan_walk *walk);
void omen_walk_end (omen_scan_walk *walk);
/* Is each barrier used by as many threads as it is for? */
bool omen_walk_is_even (const omen_scan_walk *walk);
/* To be called when the current walker's locks or clocks have changed. */
void omen_walk_resume (omen_scan_walk *walk);
static inline omen_walker *
omen_walk_me (omen_scan_walk *walk)
{
  return &walk->walkers.data[walk->now];
}

/* ---- walk_uses.c ---- */
/* An item of the runtime, except for its effect on the order of threads. */
void omen_walk_use (omen_scan_walk *walk, const omen_item *item);
/* Notes of woven code. */
void omen_walk_plan (omen_scan_walk *walk, const omen_note_piece *piece);

#endif
