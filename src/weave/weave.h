/* The weaver: two passes over an LLVM module that insert the calls of
   wire/abi.h. Written on the LLVM-C API; shim.cpp registers the passes with
   clang and provides what LLVM-C lacks.

     omen_weave_markers    at the start of the pipeline: which functions are
                           woven, property events (join_point*.c), function
                           markers (mark.c), addresses hidden from the
                           optimiser (hide.c)
     plain_copy.cpp        between the two: uninstrumented copies of functions,
                           for when nothing is recorded
     unroll.cpp            after it, from -O2 on: unrolls loops
     omen_weave_accesses   last in the optimiser: plain accesses (access.c),
                           atomics (atomic.c), ranges (range.c), lifetimes of
                           stack objects (stack.c), uses of loaded addresses
                           (used.c), lowering of markers to notes (mark.c)
                           except superfluous ones (trim.c); before all that,
                           with --depend, dependences (depend.h)

   Both are module passes that run at every optimisation level. LLVM's attribute
   sanitize_thread carries from the first to the second whether a function's
   plain accesses are woven; it also keeps the optimiser from inventing loads
   that the source does not have. */
#ifndef OMEN_WEAVE_WEAVE_H
#define OMEN_WEAVE_WEAVE_H

#include "base/defs.h"
#include "wire/abi.h"
#include "weave/parts.h"
#include "weave/set.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum omen_callback {
#define OMEN_CALLBACK(id, ...) OMEN_CB_##id,
#include "weave/callbacks.def"
  OMEN_CALLBACKS
};

/* Function markers between the two passes: calls that only the weaver knows. */
enum omen_marker {
  OMEN_MARK_ENTER,
  OMEN_MARK_EXIT,
  OMEN_MARK_LANDED,
  OMEN_MARK_CALLED,
  OMEN_MARKS
};

/* Enum attributes that the weaver reads or sets. */
#define OMEN_WEAVE_ATTRIBUTES(X)                                               \
  X (SANITIZE_THREAD, "sanitize_thread")                                       \
  X (SANITIZE_ADDRESS, "sanitize_address")                                     \
  X (DISABLE, "disable_sanitizer_instrumentation")                             \
  X (NAKED, "naked")                                                           \
  X (COROUTINE, "presplitcoroutine")                                           \
  X (NOMERGE, "nomerge")                                                       \
  X (NOUNWIND, "nounwind")                                                     \
  X (NONLAZY, "nonlazybind")                                                   \
  X (OPTNONE, "optnone")                                                       \
  X (WILLRETURN, "willreturn")                                                 \
  X (SPECULATABLE, "speculatable")                                             \
  X (READABLE, "dereferenceable")                                              \
  X (READABLE_OR_NULL, "dereferenceable_or_null")                              \
  X (MEMORY, "memory")                                                         \
  X (BYVAL, "byval")                                                           \
  X (RETURNS_TWICE, "returns_twice")                                           \
  X (ELEMENT_TYPE, "elementtype")

enum omen_attribute {
#define OMEN_ATTRIBUTE(id, name) OMEN_ATTR_##id,
  OMEN_WEAVE_ATTRIBUTES (OMEN_ATTRIBUTE)
#undef OMEN_ATTRIBUTE
      OMEN_ATTRIBUTES
};

/* Intrinsics that the weaver knows by name. */
#define OMEN_WEAVE_INTRINSICS(X)                                               \
  X (MEMCPY, "llvm.memcpy")                                                    \
  X (MEMCPY_INLINE, "llvm.memcpy.inline")                                      \
  X (MEMMOVE, "llvm.memmove")                                                  \
  X (MEMSET, "llvm.memset")                                                    \
  X (MEMSET_INLINE, "llvm.memset.inline")                                      \
  X (LIFE_START, "llvm.lifetime.start")                                        \
  X (LIFE_END, "llvm.lifetime.end")                                            \
  X (TLS_ADDRESS, "llvm.threadlocal.address")                                  \
  X (MASKED_LOAD, "llvm.masked.load")                                          \
  X (MASKED_STORE, "llvm.masked.store")                                        \
  X (GATHER, "llvm.masked.gather")                                             \
  X (SCATTER, "llvm.masked.scatter")                                           \
  X (ASSUME, "llvm.assume")                                                    \
  X (MAXNUM, "llvm.maxnum")                                                    \
  X (MINNUM, "llvm.minnum")                                                    \
  X (RETURN_ADDRESS, "llvm.returnaddress")

enum omen_intrinsic {
#define OMEN_INTRINSIC(id, name) OMEN_IN_##id,
  OMEN_WEAVE_INTRINSICS (OMEN_INTRINSIC)
#undef OMEN_INTRINSIC
      OMEN_INTRINSICS
};

/* One pass over one module. */
typedef struct omen_weave {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder; /* inserts the next note, with its debug location */
  LLVMValueRef next;      /* the instruction before which the builder inserts */
  LLVMTargetDataRef layout;
  LLVMTypeRef none, i8, i16, i32, i64, pointer, site;
  LLVMTypeRef types[OMEN_CALLBACKS];
  LLVMValueRef callbacks[OMEN_CALLBACKS]; /* NULL: not declared yet */
  LLVMValueRef marks[OMEN_MARKS];         /* likewise */
  unsigned attributes[OMEN_ATTRIBUTES];
  unsigned intrinsics[OMEN_INTRINSICS];
  unsigned nosanitize, invariant_load, prof; /* kinds of metadata */
  LLVMValueRef cursor_at; /* the thread-local __omen_cursor, __omen_depth */
  LLVMValueRef depth_at;
  LLVMValueRef inside_at;  /* __omen_inside, likewise */
  LLVMValueRef unlikely;   /* branch weights */
  omen_weave_set unshared; /* addresses into private objects */
  LLVMValueRef depth;      /* of the current function, set after its entry */
  omen_weave_map levels;   /* its inlined functions -> their relative depth */
  omen_weave_map callers;  /* locations of inlined calls -> their sites */
  omen_weave_map slots;    /* of functions that may be in other modules */
  struct omen_weave_depend *depend;   /* depend.h; NULL: not requested */
  const struct omen_weave_plan *plan; /* of property events; first pass only */
  struct omen_evolution *evolution;   /* of the function being woven */
  omen_weave_map uses;    /* loads of the current function -> omen_site_use */
  enum omen_site_use use; /* of the load whose notes are being built */
} omen_weave;

/* context.c: construction, and helpers for building code. */
void omen_weave_init (omen_weave *w, LLVMModuleRef module);
void omen_weave_fini (omen_weave *w);
bool omen_weave_has (const omen_weave *w, LLVMValueRef function,
                     enum omen_attribute attribute);
void omen_weave_give (const omen_weave *w, LLVMValueRef function,
                      enum omen_attribute attribute);
void omen_weave_take (const omen_weave *w, LLVMValueRef function,
                      enum omen_attribute attribute);
/* The intrinsic that `call` calls, or OMEN_INTRINSICS. */
enum omen_intrinsic omen_weave_intrinsic (const omen_weave *w,
                                          LLVMValueRef call);
/* Next calls go before/after `at`, with its debug location. */
void omen_weave_before (omen_weave *w, LLVMValueRef at);
void omen_weave_after (omen_weave *w, LLVMValueRef at);
LLVMValueRef omen_weave_call (omen_weave *w, enum omen_callback callback,
                              LLVMValueRef *args);
LLVMValueRef omen_weave_int (const omen_weave *w, uint32_t n);
LLVMValueRef omen_weave_long (const omen_weave *w, uint64_t n);
/* `addr` plus that many bytes. */
LLVMValueRef omen_weave_offset (omen_weave *w, LLVMValueRef addr,
                                uint64_t bytes);

/* Marks the first successor as unlikely. */
void omen_weave_make_unlikely (omen_weave *w, LLVMValueRef branch);

/* site.c: sites and the texts they refer to. */
typedef struct omen_weave_what {
  enum omen_site_kind kind;
  unsigned size, order, failure;
  LLVMValueRef function; /* description; NULL: that of the builder's function */
  LLVMValueRef name; /* of a variable, or NULL; omen_depend here for accesses */
} omen_weave_what;
/* A constant string that linkers merge. */
LLVMValueRef omen_weave_text (omen_weave *w, const char *text);
/* A new site for the builder's location. */
LLVMValueRef omen_weave_site (omen_weave *w, omen_weave_what what);
/* "name\nfile\nline" of a function, as such a constant. */
LLVMValueRef omen_weave_description (omen_weave *w, LLVMValueRef function);
/* `target` (NULL: 0) minus `from`, which needs no relocation at run time. */
LLVMValueRef omen_weave_distance (const omen_weave *w, LLVMValueRef target,
                                  LLVMValueRef from);

/* note.c: logs a note at the builder's position, by a call. */
void omen_weave_note (omen_weave *w, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef site);
/* The addresses of __omen_depth, __omen_cursor and __omen_inside. */
LLVMValueRef omen_weave_depth (omen_weave *w);
LLVMValueRef omen_weave_cursor (omen_weave *w);
LLVMValueRef omen_weave_inside (omen_weave *w);

/* tail.c: gives paths that end in a shared return, and have notes, returns of
   their own. */
void omen_weave_tails (omen_weave *w, LLVMValueRef function);
/* block.c: writes the notes of a function in line; last of all for it. */
void omen_weave_blocks (omen_weave *w, LLVMValueRef function);

/* bits.c: values as integers. */
/* The bits of a value of at most 64 bits, zero-extended to 64. */
LLVMValueRef omen_weave_bits (omen_weave *w, LLVMValueRef value);
/* As above for values of up to 16 bytes. */
void omen_weave_halves (omen_weave *w, LLVMValueRef value,
                        LLVMValueRef half[2]);
/* Logs that `value` was read from (written to) addr, in pieces. */
void omen_weave_report (omen_weave *w, LLVMValueRef addr, LLVMValueRef value,
                        bool store);

/* loop_note.c: is the call the note of a loop that is logged as a whole
   (loop.cpp)? And the block of such a note. */
bool omen_weave_is_loop_note (LLVMValueRef call);
void omen_weave_loop_note (omen_weave *w, LLVMValueRef call);

/* escape.c: fills w->unshared for one function, and for the module. */
void omen_weave_find_unshared (omen_weave *w, LLVMValueRef function);
void omen_weave_find_unshared_globals (omen_weave *w);
/* May the access `user` to `addr` be visible to other threads? */
bool omen_weave_shared (const omen_weave *w, LLVMValueRef user,
                        LLVMValueRef addr);
/* The same for any access to `addr`. */
bool omen_weave_is_shared (const omen_weave *w, LLVMValueRef addr);
/* Is this local (alloca, or argument passed by value) used only by accesses of
   this function, so that its address does not escape? */
bool omen_weave_private (omen_weave *w, LLVMValueRef local);
/* Does the address of this global escape, so that other code may have it? */
bool omen_weave_escapes (omen_weave *w, LLVMValueRef global);

/* escaping.c: lists the globals that escape (OMEN_ESCAPING_SECTION). */
void omen_weave_list_escaping (omen_weave *w);

/* used.c: enters a load into w->uses if its value is certainly used as an
   address; to be called before the function is woven. */
void omen_weave_find_use (omen_weave *w, LLVMValueRef instruction);

/* Each weaves one instruction of the kind in its name. */
void omen_weave_load (omen_weave *w, LLVMValueRef load);
void omen_weave_store (omen_weave *w, LLVMValueRef store);
void omen_weave_lanes (omen_weave *w, LLVMValueRef call,
                       enum omen_intrinsic what);
bool omen_weave_is_atomic (LLVMValueRef instruction);
void omen_weave_atomic (omen_weave *w, LLVMValueRef instruction);
/* The value that a read-modify-write stored. */
LLVMValueRef omen_weave_updated (omen_weave *w, LLVMAtomicRMWBinOp op,
                                 LLVMValueRef old, LLVMValueRef x);
void omen_weave_copy (omen_weave *w, LLVMValueRef call);
void omen_weave_fill (omen_weave *w, LLVMValueRef call);
void omen_weave_arguments (omen_weave *w, LLVMValueRef call);
void omen_weave_assembly (omen_weave *w, LLVMValueRef call);
/* stack.c: once per function, before its instructions are woven. */
void omen_weave_gather (omen_weave *w, LLVMValueRef function);
void omen_weave_stack (omen_weave *w, LLVMValueRef function);

/* mark.c: omen_weave_find_marks finds the declarations of the first pass;
   omen_weave_mark inserts markers (first pass); omen_weave_lower turns one into
   notes (second pass); omen_weave_mark_called inserts a CALLED before an ENTER
   that is to be removed; omen_weave_unmark removes one. */
void omen_weave_find_marks (omen_weave *w);
void omen_weave_mark (omen_weave *w, LLVMValueRef function);
enum omen_marker omen_weave_marker (const omen_weave *w, LLVMValueRef call);
void omen_weave_lower (omen_weave *w, LLVMValueRef call);
void omen_weave_mark_called (omen_weave *w, LLVMValueRef enter);
void omen_weave_unmark (omen_weave *w, LLVMValueRef call);
bool omen_weave_is_inlined (LLVMValueRef call);
/* depth.c: fills w->levels; markers must still be calls. */
void omen_weave_find_levels (omen_weave *w, LLVMValueRef function);
bool omen_weave_returns_twice (const omen_weave *w, LLVMValueRef call);
/* Where to insert what comes last before `ret`: before a call that must
   directly precede it. */
LLVMValueRef omen_weave_last_act (LLVMValueRef ret);
/* outside.c: calls that may enter uninstrumented code; functions that such code
   may call (after all else but block.c); places that control may reach from
   such code. */
bool omen_weave_may_leave (const omen_weave *w, LLVMValueRef call);
/* Is it a call of a function that AddressSanitizer replaces and that creates
   threads or frees memory? */
bool omen_weave_is_replaced (LLVMValueRef call);
void omen_weave_replaced (omen_weave *w, LLVMValueRef call);
void omen_weave_leave (omen_weave *w, LLVMValueRef call);
void omen_weave_callback (omen_weave *w, LLVMValueRef function);
void omen_weave_land (omen_weave *w);
/* join_point.c: inserts a function's property events (first pass, before hide);
   lowers those of the module (second pass, last of all). */
void omen_weave_join_points (omen_weave *w, LLVMValueRef function);
/* join_point_state.c: lists where the variables of state predicates are. */
void omen_weave_watched (omen_weave *w);
void omen_weave_lower_join_points (omen_weave *w);
/* hide.c: keeps the optimiser from inventing loads; and undoes it. */
void omen_weave_hide (omen_weave *w, LLVMValueRef function);
void omen_weave_unhide (omen_weave *w);
/* trim.c: removes the markers of functions with at most one event. */
void omen_weave_trim (omen_weave *w, LLVMValueRef function);

/* Does the second pass weave this function? */
bool omen_weave_is_woven (const omen_weave *w, LLVMValueRef function);

/* Is the word in OMEN_WEAVE? weave.c lists the words. */
bool omen_weave_option (const char *word);

/* The two passes; true if the module changed. `in_line`: the code is optimised
   for speed, so notes are written in line. */
bool omen_weave_markers (LLVMModuleRef module, bool in_line);
bool omen_weave_accesses (LLVMModuleRef module, bool in_line);

/* plain_copy.cpp: is it the uninstrumented copy of a function? And, last of
   all, lets functions with such copies choose at run time. */
bool omen_shim_is_plain_copy (LLVMValueRef function);
void omen_shim_switch_plain_copies (LLVMModuleRef module);

/* shim.cpp: what LLVM-C does not have. */
/* May a call of this declaration go to another module, except the C library?
   The dynamic linker resolves such calls. */
bool omen_shim_is_elsewhere (LLVMValueRef function);
bool omen_shim_is_pure (LLVMValueRef call);
/* Keeps an unreferenced global, in the compiler and the linker. */
void omen_shim_keep (LLVMModuleRef module, LLVMValueRef global);
/* Splits a block before `at`; returns the second part. */
LLVMBasicBlockRef omen_shim_split (LLVMValueRef at);
/* Removes the edge between two blocks from the phis of `block`. */
void omen_shim_forget_way (LLVMBasicBlockRef block, LLVMBasicBlockRef from);
/* Visits the reachable blocks, each after its dominators. */
void omen_shim_visit_blocks (LLVMValueRef function,
                             void (*visit) (void *data,
                                            LLVMBasicBlockRef block),
                             void *data);
/* Alternatives for one value, values[0] being the original, each available at
   the end of its block: uses of the original outside the blocks `own` are
   replaced by the one that reaches them, through phis if need be. */
void omen_shim_join (LLVMValueRef *values, LLVMBasicBlockRef *blocks,
                     unsigned count, const LLVMBasicBlockRef *own,
                     unsigned own_count);
/* A pointer without constant offsets, whose sum is *offset. */
LLVMValueRef omen_shim_strip (LLVMModuleRef module, LLVMValueRef pointer,
                              int64_t *offset);
/* A readable form of a linkage name, at most `room` bytes. */
void omen_shim_demangle (const char *name, char *text, size_t room);
/* The qualified name of a C++ function and its parameters, "(int, char*)";
   false if this is no C++ linkage name of a function. */
bool omen_shim_function (const char *linkage, char *name, size_t room,
                         char *parameters, size_t parameters_room);
/* The first instruction that runs only after an invoke returned normally. */
LLVMValueRef omen_shim_after_invoke (LLVMValueRef invoke);
/* evolve.cpp: LLVM's scalar evolution of a function, which must not be changed
   while it is in use. */
struct omen_evolution *omen_shim_evolution_new (LLVMValueRef function);
void omen_shim_evolution_free (struct omen_evolution *evolution);
/* Is a - b, of two pointers, a constant? */
bool omen_shim_distance (struct omen_evolution *evolution, LLVMValueRef a,
                         LLVMValueRef b, int64_t *distance);
/* Is the pointer invariant in the innermost loop of `block`? */
bool omen_shim_stays (struct omen_evolution *evolution, LLVMValueRef pointer,
                      LLVMBasicBlockRef block);
/* The n, 1 to `most`, with a - b == n * (c - d) in all runs; 0: none. */
unsigned omen_shim_times (struct omen_evolution *evolution, LLVMValueRef a,
                          LLVMValueRef b, LLVMValueRef c, LLVMValueRef d,
                          unsigned most);
/* For pointers into one object: the number of bits of a - b - *least, which is
   not negative; 0: unknown. */
unsigned omen_shim_near (struct omen_evolution *evolution, LLVMValueRef a,
                         LLVMValueRef b, int64_t *least);
/* parts.cpp */
/* Visits a name; true: its parts are visited, too. */
typedef bool (*omen_weave_part_visit) (void *data, const char *name,
                                       const omen_weave_part *part);
/* Visits the source names of all that overlaps bits [bit, bit + bits) of a
   global: `acc`, `acc.balance`. */
void omen_shim_parts (LLVMValueRef global, uint64_t bit, uint64_t bits,
                      omen_weave_part_visit visit, void *data);
/* Visits all names in a global; those of array elements also in general form,
   `a.x` and `a[*].x`, which come first. */
void omen_shim_all_parts (LLVMValueRef global, omen_weave_part_visit visit,
                          void *data);
/* As omen_shim_parts, for an object of LLVM's type `name`, of `size` bits:
   `struct node`, `struct node.next`. None without debug information. */
void omen_shim_type_parts (LLVMModuleRef module, const char *name,
                           uint64_t size, uint64_t bit, uint64_t bits,
                           omen_weave_part_visit visit, void *data);
/* The function that a debug location is in, "name\nfile\nline", and the file
   of the location itself. */
void omen_shim_place (LLVMMetadataRef location, char *function, char *file,
                      size_t room);
/* The name of the source variable that a local is, and where it is declared;
   NULL if not known. */
LLVMMetadataRef omen_shim_local (LLVMValueRef local, char *name, size_t room);

#endif
