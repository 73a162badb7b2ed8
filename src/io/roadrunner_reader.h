/* Private to roadrunner.c (lines, threads, accesses) and roadrunner_sync.c
   (waits, notifies, joins, barriers). */
#ifndef OMEN_IO_ROADRUNNER_READER_H
#define OMEN_IO_ROADRUNNER_READER_H

#include "io/import.h"

/* A thread number of the log, and the thread that has it at present. */
typedef struct omen_rr_thread {
  omen_tid thread;     /* OMEN_NONE before its first event */
  uint32_t generation; /* number of earlier threads with this number */
  bool acted, forked, joined;
  uint32_t waiting; /* lock of its wait, or OMEN_NONE … */
  omen_eid wait;    /* … and the wait event */
  uint32_t joining; /* number of a thread whose join is pending, or OMEN_NONE */
  uint32_t notified; /* lock of a notify that may be printed a second time */
} omen_rr_thread;

/* The notifies of a condition, to explain wakes. */
typedef struct omen_rr_condition {
  omen_ids notifies; /* unused ones, ascending */
  omen_eid last_all; /* latest notifyall, or OMEN_NONE */
} omen_rr_condition;

typedef struct omen_rr_barrier {
  omen_ids arrivals; /* of the current round */
  uint64_t parties;  /* size of the previous round; 0 if there was none */
} omen_rr_barrier;

/* The value of a variable according to the log so far. */
typedef struct omen_rr_value {
  bool written;
  uint8_t kind;
  uint64_t value;
} omen_rr_value;

typedef struct omen_rr {
  omen_import import; /* first member: read_line gets a pointer to it */
  omen_names numbers; /* thread numbers as text */
  OMEN_VEC (omen_rr_thread) threads; /* by id in numbers */
  OMEN_VEC (omen_rr_condition) conditions;
  OMEN_VEC (omen_rr_barrier) barriers;
  OMEN_VEC (omen_rr_value) values; /* by place */
  omen_names unknown;              /* unknown operations … */
  omen_ids unknown_count;          /* … and their numbers */
  const char *text_end;
  size_t skipped, spurious, returns_added, values_dropped, lost_joins;
  bool announced; /* the log announces new threads in lines of their own */
  bool cut;       /* the last line is incomplete */
} omen_rr;

/* One event line: `Op(number,operand,third)rest`. */
typedef struct omen_rr_line {
  omen_field operation, number, operand, third, rest;
  uint32_t actor; /* id of the number */
} omen_rr_line;

#define OMEN_RR_EMPTY ((omen_field){ "", 0 })

/* The name of the thread that has the number at present, "T1" or "T1#2". */
#define OMEN_RR_NAME 32
omen_field omen_rr_name (const omen_rr *rr, uint32_t number,
                         char name[OMEN_RR_NAME]);
/* From now on the number belongs to a new thread. */
void omen_rr_renew (omen_rr *rr, uint32_t number);
uint32_t omen_rr_number (omen_rr *rr, omen_field text);
omen_event *omen_rr_add (omen_rr *rr, omen_kind kind, uint32_t actor,
                         omen_field operand, omen_field location);

/* Called before an event of `actor` that does not continue its last one: adds
   its pending join, or the return from its wait. */
void omen_rr_settle (omen_rr *rr, uint32_t actor);
/* Lines that are printed twice, or depend on others. False on a bad line. */
bool omen_rr_start (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_join (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_wait (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_notify (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_barrier_line (omen_rr *rr, const omen_rr_line *line);
bool omen_rr_interrupt (omen_rr *rr, const omen_rr_line *line);
/* Called at the end of the log. */
void omen_rr_close (omen_rr *rr);

#endif
