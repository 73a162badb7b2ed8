/* One event: 24 bytes of plain data, shared with the guest runtime.

   What the fields hold depends on the operand of the kind (event.def):

   operand    object        value                              text
   PLACE      place         the value read or written          w(x+4:2=5)
              (rmw)         index of an omen_rmw (old, new)    rmw(x=5:6)
   LOCK       lock          -                                  acq(l)
   THREAD     thread        -                                  fork(T2)
   CONDITION  condition     lock, OMEN_NONE without one        wait(c,l)
   SEMAPHORE  semaphore     n (seminit only)                   seminit(s,2)
   BARRIER    barrier       n (arrive only)                    arrive(b,3)
   OBJECT     sync object   -                                  hb(o)
   BLOCK      block label   -                                  begin(A)
   FUNCTION   function      -                                  enter(f)
   VARIABLE   place (whole  size in bytes (alloc only;         alloc(p,8)
              variable)     free: -)                           free(p)
   SIGNAL     signal name   index of an omen_emit              emit(e,p=1)
   NOTHING    OMEN_NONE     -                                  branch() */
#ifndef OMEN_WIRE_EVENT_H
#define OMEN_WIRE_EVENT_H

#include "base/defs.h"

typedef enum omen_kind {
#define OMEN_EVENT(kind, text, operand, class) OMEN_##kind,
#include "wire/event.def"
  OMEN_KINDS
} omen_kind;

/* Each operand except NOTHING, PLACE and VARIABLE has a table of names. Stored
   in files, like the enums below: append, never reorder. */
typedef enum omen_operand {
  OMEN_OPERAND_NOTHING,
  OMEN_OPERAND_PLACE,
  OMEN_OPERAND_VARIABLE,
  OMEN_OPERAND_LOCK,
  OMEN_OPERAND_THREAD,
  OMEN_OPERAND_CONDITION,
  OMEN_OPERAND_SEMAPHORE,
  OMEN_OPERAND_BARRIER,
  OMEN_OPERAND_OBJECT,
  OMEN_OPERAND_BLOCK,
  OMEN_OPERAND_FUNCTION,
  OMEN_OPERAND_SIGNAL,
  OMEN_OPERANDS
} omen_operand;

typedef enum omen_class {
  OMEN_CLASS_ACCESS, /* reads or writes memory */
  OMEN_CLASS_SYNC,   /* orders threads */
  OMEN_CLASS_MARK    /* no rule mentions it */
} omen_class;

/* The meaning of the value field; stored in files. Two values are equal if
   (kind, value) are; INT and BIG are compared as 64-bit patterns; NONE equals
   nothing. */
typedef enum omen_value_kind {
  OMEN_VALUE_NONE,    /* unknown */
  OMEN_VALUE_INT,     /* int64_t */
  OMEN_VALUE_BIG,     /* uint64_t beyond INT64_MAX */
  OMEN_VALUE_SYMBOL,  /* any other text: id in the table of symbols */
  OMEN_VALUE_POINTER, /* variable << 32 | offset: &p+8 */
  OMEN_VALUE_KINDS
} omen_value_kind;

typedef enum omen_order {
  OMEN_ORDER_SC, /* no suffix in the text */
  OMEN_ORDER_RELAXED,
  OMEN_ORDER_ACQUIRE,
  OMEN_ORDER_RELEASE,
  OMEN_ORDER_ACQ_REL,
  OMEN_ORDERS
} omen_order;

static inline bool
omen_order_acquires (unsigned order)
{
  return order == OMEN_ORDER_SC || order == OMEN_ORDER_ACQUIRE
         || order == OMEN_ORDER_ACQ_REL;
}

static inline bool
omen_order_releases (unsigned order)
{
  return order == OMEN_ORDER_SC || order == OMEN_ORDER_RELEASE
         || order == OMEN_ORDER_ACQ_REL;
}

/* Bits of omen_event.mode. */
enum {
  OMEN_MODE_TRY = 1,      /* acq, racq, down: by a try or timed operation */
  OMEN_MODE_TIMEOUT = 2,  /* wake: needs no notify; wait: has a time limit */
  OMEN_MODE_SPURIOUS = 4, /* wake: needs no notify */
  OMEN_MODE_EXTRA = 8,    /* has an omen_extra (dependences, stack) */
  OMEN_MODE_MAYBE = 16,   /* hb, ha: of an uninstrumented library, which may or
                             may not synchronise there */
  OMEN_MODE_STUCK = 32,   /* its thread was seen to wait here forever */
  /* of accesses: */
  OMEN_MODE_GONE = OMEN_MODE_TRY,     /* w: destroys the object at the place */
  OMEN_MODE_RAW = OMEN_MODE_TRY,      /* alloc: the memory is uninitialised */
  OMEN_MODE_FOLLOWED = OMEN_MODE_TRY, /* r: its value is used as an address */
  OMEN_MODE_CAS = OMEN_MODE_TRY,      /* rmw: a compare-exchange */
  OMEN_MODE_FREED = OMEN_MODE_TIMEOUT /* r: … is freed, unless it is 0 */
};

/* The remark in the text for one of these bits of an access; NULL for other
   kinds. */
static inline const char *
omen_mode_remark (unsigned kind, unsigned mode)
{
  if (mode & OMEN_MODE_FREED)
    return kind == OMEN_READ && mode == OMEN_MODE_FREED ? "freed" : NULL;
  return kind == OMEN_WRITE        ? "gone"
         : kind == OMEN_READ       ? "followed"
         : kind == OMEN_ALLOC      ? "raw"
         : kind == OMEN_ATOMIC_RMW ? "cas"
                                   : NULL;
}

/* The bits of remarks that an access has. */
static inline unsigned
omen_mode_remarks (unsigned mode)
{
  return mode & (OMEN_MODE_GONE | OMEN_MODE_FREED);
}

/* Kinds that may be STUCK, as the last event of a thread. */
static inline bool
omen_kind_waits (unsigned kind)
{
  return kind == OMEN_REQUEST || kind == OMEN_WAIT || kind == OMEN_ARRIVE
         || kind == OMEN_SEM_REQUEST || kind == OMEN_JOIN_REQUEST;
}

/* Modes in which a lock is held. */
enum { OMEN_LOCK_WRITE = 0, OMEN_LOCK_READ = 1 };

typedef struct omen_event {
  uint8_t kind;       /* omen_kind */
  uint8_t value_kind; /* omen_value_kind; NONE if `value` is no value */
  uint8_t order;      /* omen_order, atomics and fences */
  uint8_t mode;       /* OMEN_MODE_* */
  uint32_t thread;
  uint32_t object;
  uint32_t location; /* index in the table of locations */
  uint64_t value;
} omen_event;

typedef struct omen_rmw {
  uint64_t value[2];     /* old, new */
  uint8_t value_kind[2]; /* omen_value_kind */
} omen_rmw;

const char *omen_kind_text (omen_kind kind);
omen_operand omen_kind_operand (omen_kind kind);
omen_class omen_kind_class (omen_kind kind);
const char *omen_order_text (omen_order order); /* "sc" "rlx" "acq" … */

/* How kinds access memory. An rmw reads and writes; alloc, free and ext write
   all of their operand. */
static inline bool
omen_kind_reads (unsigned kind)
{
  return kind == OMEN_READ || kind == OMEN_ATOMIC_READ
         || kind == OMEN_ATOMIC_RMW;
}

static inline bool
omen_kind_writes (unsigned kind)
{
  return kind == OMEN_WRITE || kind == OMEN_ATOMIC_WRITE
         || kind == OMEN_ATOMIC_RMW || kind == OMEN_ALLOC || kind == OMEN_FREE
         || kind == OMEN_EXTERNAL;
}

static inline bool
omen_kind_atomic (unsigned kind)
{
  return kind == OMEN_ATOMIC_READ || kind == OMEN_ATOMIC_WRITE
         || kind == OMEN_ATOMIC_RMW;
}

/* A compare-exchange writes only if it reads the value that it expects. */
static inline bool
omen_event_is_cas (const omen_event *event)
{
  return event->kind == OMEN_ATOMIC_RMW && event->mode & OMEN_MODE_CAS;
}

#endif
