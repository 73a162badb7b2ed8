/* What roadrunner.c (lines, threads, accesses) and roadrunner_sync.c (waits,
   notifies, joins, barriers) share. Private to them. */
#ifndef OMEN_IO_ROADRUNNER_READER_H
#define OMEN_IO_ROADRUNNER_READER_H

#include "io/import.h"

/* A thread number of the log and the thread that has it now. */
typedef struct omen_rr_thread {
  omen_tid thread;     /* OMEN_NONE until it is first mentioned */
  uint32_t generation; /* threads that had the number before */
  bool acted, forked, joined;
  uint32_t waiting;  /* lock that it waits on, or OMEN_NONE … */
  omen_eid wait;     /* … since this event */
  uint32_t joining;  /* number whose join is still to be added, or OMEN_NONE */
  uint32_t notified; /* lock of a notify that may be printed again */
} omen_rr_thread;

/* Notifies of one condition, for the wakes that they explain. */
typedef struct omen_rr_condition {
  omen_ids notifies; /* events, ascending, not used up yet */
  omen_eid last_all; /* latest notifyall, or OMEN_NONE */
} omen_rr_condition;

typedef struct omen_rr_barrier {
  omen_ids arrivals; /* of the round that is being gathered */
  uint64_t parties;  /* of the round before, 0 if there was none */
} omen_rr_barrier;

/* The value that a variable has by the order of the log. */
typedef struct omen_rr_value {
  bool written;
  uint8_t kind;
  uint64_t value;
} omen_rr_value;

typedef struct omen_rr {
  omen_import import;                /* first: the line reader gets this */
  omen_names numbers;                /* thread numbers as text */
  OMEN_VEC (omen_rr_thread) threads; /* by id in numbers */
  OMEN_VEC (omen_rr_condition) conditions;
  OMEN_VEC (omen_rr_barrier) barriers;
  OMEN_VEC (omen_rr_value) values; /* by place */
  omen_names unknown;              /* operations not known … */
  omen_ids unknown_count;          /* … and how often */
  const char *text_end;
  size_t skipped, spurious, returns_added, values_dropped, lost_joins;
  bool announced; /* new threads have lines of their own */
  bool cut;       /* the last line is incomplete */
} omen_rr;

/* One event line: `Op(number,operand,third)rest`. */
typedef struct omen_rr_line {
  omen_field operation, number, operand, third, rest;
  uint32_t actor; /* id of the number */
} omen_rr_line;

#define OMEN_RR_EMPTY ((omen_field){ "", 0 })

/* The name of the thread that has the number now, "T1" or "T1#2". */
#define OMEN_RR_NAME 32
omen_field omen_rr_name (const omen_rr *rr, uint32_t number,
                         char name[OMEN_RR_NAME]);
/* Another thread takes the number. */
void omen_rr_renew (omen_rr *rr, uint32_t number);
uint32_t omen_rr_number (omen_rr *rr, omen_field text);
omen_event *omen_rr_add (omen_rr *rr, omen_kind kind, uint32_t actor,
                         omen_field operand, omen_field location);

/* Before an event of `actor` that is not another half of what it began: its
   join, the return of its wait. */
void omen_rr_settle (omen_rr *rr, uint32_t actor);
/* The lines that have two halves or need others: false on a bad line. */
bool omen_rr_start (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_join (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_wait (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_notify (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_barrier_line (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_interrupt (omen_rr *rr, const omen_rr_line *line);
/* At the end of the log. */
void omen_rr_close (omen_rr *rr);

#endif
