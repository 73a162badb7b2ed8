/* The weaver: two passes over an LLVM module that put in the calls of
   wire/abi.h. Written on the LLVM-C API; shim.cpp registers the passes with
   clang and lends the two or three things that LLVM-C does not have.

     omen_weave_markers    at the start of the pipeline: which functions are
                           woven, property events (join_point*.c), function
                           markers (mark.c), addresses
                           hidden from an optimiser too clever (hide.c)
     plain_copy.cpp        between the two: copies of functions for when nobody
                           wants notes
     unroll.cpp            after it, from -O2 on: unrolls loops
     omen_weave_accesses   last in the optimiser: plain accesses (access.c),
                           atomics (atomic.c), ranges (range.c), lives of
                           stack objects (stack.c), what is done with
                           addresses (used.c), markers made into notes
                           (mark.c) unless idle (trim.c); before all that,
                           if asked, what depends on what (depend.h)

   Both are module passes that run at every optimisation level. Whether a
   function's plain accesses are woven is carried from the first to the second
   by LLVM's attribute sanitize_thread, which also keeps the optimiser from
   inventing loads that the source does not make. */
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

/* Function markers between the two passes: calls that only we know. */
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
  LLVMBuilderRef builder; /* where the next note goes, and its location */
  LLVMValueRef next;      /* the instruction that the builder stands before */
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
  LLVMValueRef depth;      /* of the function at hand, once it is entered */
  omen_weave_map levels; /* its inlined functions -> how much deeper they are */
  omen_weave_map callers; /* locations of inlined calls: their sites */
  omen_weave_map slots;   /* of functions that may be in other modules */
  struct omen_weave_depend *depend;   /* depend.h; NULL: not asked for */
  const struct omen_weave_plan *plan; /* of property events; first pass only */
  struct omen_evolution *evolution; /* of the function whose notes are placed */
  omen_weave_map uses;    /* loads of the function at hand: omen_site_use */
  enum omen_site_use use; /* of the load whose notes are built */
} omen_weave;

/* context.c: life, and what the rest builds with. */
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
/* `addr` moved by that many bytes. */
LLVMValueRef omen_weave_offset (omen_weave *w, LLVMValueRef addr,
                                uint64_t bytes);

/* Its first way is seldom taken. */
void omen_weave_make_unlikely (omen_weave *w, LLVMValueRef branch);

/* site.c: sites and the texts they refer to. */
typedef struct omen_weave_what {
  enum omen_site_kind kind;
  unsigned size, order, failure;
  LLVMValueRef function; /* description; NULL: of the place's own */
  LLVMValueRef name;     /* of a variable, or NULL; accesses have omen_depend
                            here */
} omen_weave_what;
/* A constant string that linkers merge. */
LLVMValueRef omen_weave_text (omen_weave *w, const char *text);
/* A new site for where the builder stands. */
LLVMValueRef omen_weave_site (omen_weave *w, omen_weave_what what);
/* "name\nfile\nline" of a function, likewise. */
LLVMValueRef omen_weave_description (omen_weave *w, LLVMValueRef function);
/* How far `target` (NULL: 0) is from `from`: needs no relocation when run. */
LLVMValueRef omen_weave_distance (const omen_weave *w, LLVMValueRef target,
                                  LLVMValueRef from);

/* note.c: a note where the builder stands, by a call. */
void omen_weave_note (omen_weave *w, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef site);
/* The addresses of __omen_depth, __omen_cursor and __omen_inside. */
LLVMValueRef omen_weave_depth (omen_weave *w);
LLVMValueRef omen_weave_cursor (omen_weave *w);
LLVMValueRef omen_weave_inside (omen_weave *w);

/* tail.c: ways that meet in a return get one each, if they note something. */
void omen_weave_tails (omen_weave *w, LLVMValueRef function);
/* block.c: last of all for a function, its notes are written in line. */
void omen_weave_blocks (omen_weave *w, LLVMValueRef function);

/* bits.c: values as integers. */
/* The bits of a value of at most 64 of them, zero-extended to 64. */
LLVMValueRef omen_weave_bits (omen_weave *w, LLVMValueRef value);
/* As above for values of up to 16 bytes. */
void omen_weave_halves (omen_weave *w, LLVMValueRef value,
                        LLVMValueRef half[2]);
/* Note that `value` was read from (written to) addr, in pieces. */
void omen_weave_report (omen_weave *w, LLVMValueRef addr, LLVMValueRef value,
                        bool store);

/* loop_note.c: is the call the note of a loop that is noted whole (loop.cpp)?
   Make its block. */
bool omen_weave_is_loop_note (LLVMValueRef call);
void omen_weave_loop_note (omen_weave *w, LLVMValueRef call);

/* escape.c: fills w->unshared for one function, and for the module. */
void omen_weave_find_unshared (omen_weave *w, LLVMValueRef function);
void omen_weave_find_unshared_globals (omen_weave *w);
/* May what lies at `addr` be seen by others, when `user` accesses it? */
bool omen_weave_shared (const omen_weave *w, LLVMValueRef user,
                        LLVMValueRef addr);
/* The same, whoever accesses it. */
bool omen_weave_is_shared (const omen_weave *w, LLVMValueRef addr);
/* Is this local (alloca, or argument passed by value) all private? */
bool omen_weave_private (omen_weave *w, LLVMValueRef local);
/* Is the address of this global handed on, so that code elsewhere may have it?
 */
bool omen_weave_escapes (omen_weave *w, LLVMValueRef global);

/* escaping.c: writes down which globals escape (OMEN_ESCAPING_SECTION). */
void omen_weave_list_escaping (omen_weave *w);

/* used.c: if it is the load of an address with which something is surely done,
   into w->uses; before the function is woven. */
void omen_weave_find_use (omen_weave *w, LLVMValueRef instruction);

/* One instruction each; the caller has sorted out which. */
void omen_weave_load (omen_weave *w, LLVMValueRef load);
void omen_weave_store (omen_weave *w, LLVMValueRef store);
void omen_weave_lanes (omen_weave *w, LLVMValueRef call,
                       enum omen_intrinsic what);
bool omen_weave_is_atomic (LLVMValueRef instruction);
void omen_weave_atomic (omen_weave *w, LLVMValueRef instruction);
/* What a read-modify-write has left in memory. */
LLVMValueRef omen_weave_updated (omen_weave *w, LLVMAtomicRMWBinOp op,
                                 LLVMValueRef old, LLVMValueRef x);
void omen_weave_copy (omen_weave *w, LLVMValueRef call);
void omen_weave_fill (omen_weave *w, LLVMValueRef call);
void omen_weave_arguments (omen_weave *w, LLVMValueRef call);
void omen_weave_assembly (omen_weave *w, LLVMValueRef call);
/* stack.c: once for a function, before its instructions are woven. */
void omen_weave_gather (omen_weave *w, LLVMValueRef function);
void omen_weave_stack (omen_weave *w, LLVMValueRef function);

/* mark.c: find what the first pass declared; put markers into a function
   (first pass); the marker that a call is, or OMEN_MARKS; make one into notes
   (second pass). omen_weave_mark_called: instead of an ENTER, which stays.
   omen_weave_unmark: take one out. */
void omen_weave_find_marks (omen_weave *w);
void omen_weave_mark (omen_weave *w, LLVMValueRef function);
enum omen_marker omen_weave_marker (const omen_weave *w, LLVMValueRef call);
void omen_weave_lower (omen_weave *w, LLVMValueRef call);
void omen_weave_mark_called (omen_weave *w, LLVMValueRef enter);
void omen_weave_unmark (omen_weave *w, LLVMValueRef call);
bool omen_weave_is_inlined (LLVMValueRef call);
/* depth.c: fills w->levels, while markers are calls. */
void omen_weave_find_levels (omen_weave *w, LLVMValueRef function);
bool omen_weave_returns_twice (const omen_weave *w, LLVMValueRef call);
/* Where to put what comes last before `ret`: a call that must be the last thing
   before it comes after that. */
LLVMValueRef omen_weave_last_act (LLVMValueRef ret);
/* outside.c: calls of what may be code that is not woven; functions that such
   code may call (after all else but block.c); where it may have been left. */
bool omen_weave_may_leave (const omen_weave *w, LLVMValueRef call);
/* Does AddressSanitizer replace what is called, and does that make threads or
   free memory? */
bool omen_weave_is_replaced (LLVMValueRef call);
void omen_weave_replaced (omen_weave *w, LLVMValueRef call);
void omen_weave_leave (omen_weave *w, LLVMValueRef call);
void omen_weave_callback (omen_weave *w, LLVMValueRef function);
void omen_weave_land (omen_weave *w);
/* join_point.c: put a function's property events in (first pass, before hide);
   make those of the module into what they do (second pass, last of all). */
void omen_weave_join_points (omen_weave *w, LLVMValueRef function);
/* join_point_state.c: where the variables are that state predicates speak of.
 */
void omen_weave_watched (omen_weave *w);
void omen_weave_lower_join_points (omen_weave *w);
/* hide.c: keep the optimiser from inventing loads; and undo it. */
void omen_weave_hide (omen_weave *w, LLVMValueRef function);
void omen_weave_unhide (omen_weave *w);
/* trim.c: take out the markers that can be no block of interest. */
void omen_weave_trim (omen_weave *w, LLVMValueRef function);

/* Does the second pass look at this function? */
bool omen_weave_is_woven (const omen_weave *w, LLVMValueRef function);

/* Is the word in OMEN_WEAVE? weave.c says which there are. */
bool omen_weave_told (const char *word);

/* The two passes; true if the module changed. `in_line`: the code is being
   optimised, for speed. */
bool omen_weave_markers (LLVMModuleRef module, bool in_line);
bool omen_weave_accesses (LLVMModuleRef module, bool in_line);

/* plain_copy.cpp: is it the form of a function for when nobody wants notes? Let
   the functions that have one choose, last of all. */
bool omen_shim_is_plain_copy (LLVMValueRef function);
void omen_shim_switch_plain_copies (LLVMModuleRef module);

/* shim.cpp: what LLVM-C does not have. */
/* May a call of this declaration go to another module, but for the C library?
   Then its address is asked of the dynamic linker. */
bool omen_shim_is_elsewhere (LLVMValueRef function);
bool omen_shim_is_pure (LLVMValueRef call);
/* Keep a global that nothing refers to, in the compiler and the linker. */
void omen_shim_keep (LLVMModuleRef module, LLVMValueRef global);
/* The block from `at` on becomes a new block, which is returned. */
LLVMBasicBlockRef omen_shim_split (LLVMValueRef at);
/* One way from a block to another is no more: phis there forget it. */
void omen_shim_forget_way (LLVMBasicBlockRef block, LLVMBasicBlockRef from);
/* The blocks that can be reached, each after those that all ways to it pass. */
void omen_shim_visit_blocks (LLVMValueRef function,
                             void (*visit) (void *data,
                                            LLVMBasicBlockRef block),
                             void *data);
/* Values that are one and the same, the first in the source, each at the end of
   its block: uses of the first beyond the blocks `own` are made to see the one
   that comes there. */
void omen_shim_join (LLVMValueRef *values, LLVMBasicBlockRef *blocks,
                     unsigned count, const LLVMBasicBlockRef *own,
                     unsigned own_count);
/* A pointer without what is added to it by constants, which add up. */
LLVMValueRef omen_shim_strip (LLVMModuleRef module, LLVMValueRef pointer,
                              int64_t *offset);
/* A readable form of a linkage name, at most `room` bytes. */
void omen_shim_demangle (const char *name, char *text, size_t room);
/* The qualified name of a C++ function and its parameters, "(int, char*)";
   false if this is no C++ linkage name of a function. */
bool omen_shim_function (const char *linkage, char *name, size_t room,
                         char *parameters, size_t parameters_room);
/* The first instruction that runs when an invoke returned, and only then. */
LLVMValueRef omen_shim_after_invoke (LLVMValueRef invoke);
/* evolve.cpp. LLVM's scalar evolution of a function, as long as that is not
   changed. */
struct omen_evolution *omen_shim_evolution_new (LLVMValueRef function);
void omen_shim_evolution_free (struct omen_evolution *evolution);
/* Is a - b, of two pointers, always the same number? */
bool omen_shim_distance (struct omen_evolution *evolution, LLVMValueRef a,
                         LLVMValueRef b, int64_t *distance);
/* In the innermost loop of `block`: is it the same pointer in every turn? */
bool omen_shim_stays (struct omen_evolution *evolution, LLVMValueRef pointer,
                      LLVMBasicBlockRef block);
/* The n, 1 to `most`, for which always a - b == n * (c - d); 0: none. */
unsigned omen_shim_times (struct omen_evolution *evolution, LLVMValueRef a,
                          LLVMValueRef b, LLVMValueRef c, LLVMValueRef d,
                          unsigned most);
/* Pointers into the same thing: a is b, `least` and a number of so many bits;
   0: nobody knows. */
unsigned omen_shim_near (struct omen_evolution *evolution, LLVMValueRef a,
                         LLVMValueRef b, int64_t *least);
/* parts.cpp */
/* A name; true: go on with what it is made of. */
typedef bool (*omen_weave_part_visit) (void *data, const char *name,
                                       const omen_weave_part *part);
/* The names of everything that bits [bit, bit + bits) of a global have
   something of, as in the source: `acc`, `acc.balance`. */
void omen_shim_parts (LLVMValueRef global, uint64_t bit, uint64_t bits,
                      omen_weave_part_visit visit, void *data);
/* Those of all of it; elements of arrays also in common, as `a.x` and `a[*].x`,
   which come first. */
void omen_shim_all_parts (LLVMValueRef global, omen_weave_part_visit visit,
                          void *data);
/* The same for an object of the type that LLVM calls so, of `size` bits:
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
