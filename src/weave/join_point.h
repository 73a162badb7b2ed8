/* For weaving property events: a join point that matches a pointcut, and the
   values that it binds. */
#ifndef OMEN_WEAVE_JOIN_POINT_H
#define OMEN_WEAVE_JOIN_POINT_H

#include "weave/plan.h"
#include "weave/weave.h"

/* A function as pointcuts see it. */
typedef struct omen_weave_name {
  char qualified[1024]; /* "ns::list<int>::add", "list_add" */
  char plain[1024];     /* the same without template arguments */
  unsigned first;       /* LLVM's index of the source's first parameter */
  unsigned parameters;  /* of the source */
  int self;             /* that of `this`, or -1 */
} omen_weave_name;

/* join_point_name.c */
void omen_weave_name_of (LLVMValueRef function, omen_weave_name *name);
bool omen_weave_name_fits (const omen_weave_name *name, const char *pattern);

/* join_point.c: emits an event at the builder's position. A NULL in values is
   0. The arguments in `tests` must equal the texts of the pointcut. */
void omen_weave_join_point (omen_weave *w, const omen_plan_cut *cut,
                            const LLVMValueRef *values);
/* Sets values from the pointcut's arguments; false: one of them is a text that
   this argument cannot equal. */
bool omen_weave_bind (omen_weave *w, const omen_plan_cut *cut,
                      LLVMValueRef *args, unsigned count, LLVMValueRef *values);

/* An access to a global. */
typedef struct omen_weave_spot {
  LLVMValueRef global; /* NULL: unknown */
  uint64_t offset, size;
  bool anywhere; /* an index is not constant; `offset` is that of element 0 */
} omen_weave_spot;

/* join_point_part.c: does the name denote a part that is accessed? With ranges:
   only if the address is in one of them. If there are too many names, the
   pattern matches any element. */
#define OMEN_WEAVE_RANGES 64u
#define OMEN_WEAVE_STEPS 4u
typedef struct omen_weave_range {
  omen_weave_step steps[OMEN_WEAVE_STEPS];
  unsigned step_count;
  uint64_t start, size; /* bytes of the global, or of the last step's element */
} omen_weave_range;
typedef struct omen_weave_match {
  omen_weave_part part;
  unsigned count; /* of ranges; 0: in any case */
  bool in_common; /* the last one has all */
  omen_weave_range ranges[OMEN_WEAVE_RANGES];
} omen_weave_match;
bool omen_weave_spot_fits (const omen_weave_spot *spot, const char *pattern,
                           omen_weave_match *match);
/* The value of the named part, from the value of the access. */
LLVMValueRef omen_weave_part_value (omen_weave *w,
                                    const omen_weave_match *match,
                                    LLVMValueRef value);
/* The value of target(): the scalar that is accessed, or the object that
   contains the named part. */
LLVMValueRef omen_weave_part_target (omen_weave *w, const char *pattern,
                                     const omen_weave_match *match,
                                     LLVMValueRef address);
/* A test whether the access lies in the match's ranges; NULL: always. */
LLVMValueRef omen_weave_part_test (omen_weave *w, const omen_weave_spot *spot,
                                   const omen_weave_match *match,
                                   LLVMValueRef address);

/* join_point_access.c: the constant offset within the object that the address
   points to. *first: that of the object in an array. Indices that are not
   constant count as 0 and set *anywhere (if not NULL), as any element of an
   array may match. */
uint64_t omen_weave_offset_of (omen_weave *w, LLVMValueRef gep, uint64_t *first,
                               bool *anywhere);

/* join_point_type.c: is it an access to a field that a typed pattern names by
   the type of its struct? `match` has no ranges then. */
bool omen_weave_type_fits (omen_weave *w, LLVMValueRef address, uint64_t size,
                           const char *pattern, omen_weave_match *match);
/* No: then it is none. */
bool omen_weave_may_be_typed (LLVMValueRef address);

/* join_point_call.c, join_point_access.c: the events of one function. */
void omen_weave_call_join_points (omen_weave *w, const omen_weave_plan *plan,
                                  LLVMValueRef function);
void omen_weave_access_join_points (omen_weave *w, const omen_weave_plan *plan,
                                    LLVMValueRef function);

#endif
