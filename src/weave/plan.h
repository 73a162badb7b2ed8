/* Which join points of a program are events of properties, as omen cc passes
   them to the weaver (driver/module/plan_text.h writes them) in the environment
   variable OMEN_WEAVE_EVENTS. Lines of words between tabs:

     spec   HASH
     event  PROPERTY  NUMBER  SLOTS  TYPES  TEXT
     cut    NUMBER  KIND  before|after  PATTERN  RETURNING  THREAD  TARGET
            VALUE  ARGUMENTS

   TYPES has `d` for a slot that is a double, `f` for a float, `*` for one that
   may be anything, else `-`. A cut belongs to the last event, an event to the
   last spec. An event 4294967295 is no event but says that the thread may begin
   in the function of its only cut. RETURNING to VALUE are the number of a slot
   (a value that the event passes on) or `-`. ARGUMENTS is `-`, any, or one word
   each between blanks: a slot, `*` any one,
   `..` any number more, `=text` only this one. */
#ifndef OMEN_WEAVE_PLAN_H
#define OMEN_WEAVE_PLAN_H

#include "monitor/cut.h"
#include "weave/set.h"

enum { OMEN_SLOTS_MAX = 32, OMEN_NO_SLOT = -1 };

typedef struct omen_plan_event {
  uint64_t spec;
  uint32_t property, number, slots;
  const char *types, *text;
} omen_plan_event;

typedef struct omen_plan_arg {
  omen_arg_kind kind;
  int slot;         /* NAME */
  const char *text; /* TEXT */
} omen_plan_arg;

typedef struct omen_plan_cut {
  const omen_plan_event *event;
  uint32_t number;
  omen_cut_kind kind;
  bool after;
  const char *pattern;
  int returning, thread, target, value;
  bool has_args;
  omen_plan_arg args[OMEN_SLOTS_MAX];
  unsigned arg_count;
} omen_plan_cut;

typedef struct omen_weave_plan {
  omen_weave_list cuts;   /* of omen_plan_cut, in the order of declaration */
  omen_weave_list events; /* of omen_plan_event */
  char *text;
} omen_weave_plan;

/* Reads the environment; empty if there is no plan. Ends the compiler with a
   message if it is malformed. */
void omen_plan_read (omen_weave_plan *plan);
void omen_plan_fini (omen_weave_plan *plan);
/* Is it the event of a thread's start function, or of writes to variables of
   state predicates? */
bool omen_plan_is_start (const omen_plan_event *event);
bool omen_plan_is_state (const omen_plan_event *event);
/* Does the pointcut match functions with so many parameters? */
bool omen_plan_takes (const omen_plan_cut *cut, unsigned parameters);

#endif
