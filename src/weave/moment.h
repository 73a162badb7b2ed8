/* Inside the weaving of property events: a moment that fits a cut, and what it
   binds. */
#ifndef OMEN_WEAVE_MOMENT_H
#define OMEN_WEAVE_MOMENT_H

#include "weave/plan.h"
#include "weave/weave.h"

/* A function as pointcuts see it. */
typedef struct omen_weave_name {
  char qualified[1024]; /* "ns::list<int>::add", "list_add" */
  char plain[1024];     /* the same without template arguments */
  unsigned first;       /* LLVM's number of the first parameter of the source */
  unsigned parameters;  /* of the source */
  int self;             /* that of `this`, or -1 */
} omen_weave_name;

/* moment_name.c */
void omen_weave_name_of (LLVMValueRef function, omen_weave_name *name);
bool omen_weave_name_fits (const omen_weave_name *name, const char *pattern);

/* moment.c: an event where the builder stands. values[i] may be NULL: 0. The
   arguments in `tests` must equal those of the cut that are texts. */
void omen_weave_moment (omen_weave *w, const omen_plan_cut *cut,
                        const LLVMValueRef *values);
/* Fills values by the cut's arguments; false: one of them is a text that
   cannot be this argument. */
bool omen_weave_bind (omen_weave *w, const omen_plan_cut *cut,
                      LLVMValueRef *args, unsigned count,
                      LLVMValueRef *values);

/* moment_call.c, moment_access.c: the events of one function. */
void omen_weave_call_moments (omen_weave *w, const omen_plan *plan,
                              LLVMValueRef function);
void omen_weave_access_moments (omen_weave *w, const omen_plan *plan,
                                LLVMValueRef function);

#endif
