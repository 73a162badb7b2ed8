/* Inside the generator: the scripts of the threads, and the machine that runs
   them. */
#ifndef OMEN_TEST_ORACLE_SCRIPT_H
#define OMEN_TEST_ORACLE_SCRIPT_H

#include "gen.h"
#include "trace/text.h"

#define GEN_THREADS 8
#define GEN_OBJECTS 8 /* of each kind */
#define GEN_STEPS 256 /* of a thread */

/* Variables: plain ones first, then flags for atomics, then heap blocks. */
#define GEN_FLAGS 2
#define GEN_BLOCKS 1

/* Bits of gen_step.how, beside OMEN_MODE_*. */
enum {
  GEN_TIMED = 16,   /* acquire: may run out */
  GEN_HOPING = 32,  /* would rather fail (a try), or find a waiter (notify) */
  GEN_BARE = 64,    /* wait, wake: without a lock */
  GEN_FOREIGN = 128 /* release of what another thread holds */
};

typedef struct gen_step {
  uint8_t kind;   /* omen_kind */
  uint8_t object; /* number of the lock, variable, … */
  uint8_t lock;   /* wait, wake */
  uint8_t how;
  uint8_t order;        /* omen_order */
  uint8_t offset, size; /* accesses; size 0: whole */
  uint8_t skip;         /* steps to leave out if a try fails */
} gen_step;

typedef struct gen_thread {
  gen_step steps[GEN_STEPS];
  unsigned count, at;
  bool started, forked; /* forked: waits for its fork */
  /* while it runs */
  unsigned events;                                /* so far */
  unsigned write[GEN_OBJECTS], read[GEN_OBJECTS]; /* depth by lock */
  int waiting;                                    /* condition, or -1 */
  bool notified;
  unsigned depth; /* of the lock given up by a wait */
  unsigned round; /* of the barrier it is in */
  uint64_t reads; /* indices of its reads, for dependences */
  int branch;     /* index of its last branch, or -1 */
} gen_thread;

typedef struct gen {
  const oracle_knobs *knobs;
  oracle_random random;
  gen_thread thread[GEN_THREADS];
  unsigned variables;        /* all of them */
  bool ranged[GEN_OBJECTS];  /* accessed by byte ranges */
  uint8_t type[GEN_OBJECTS]; /* omen_value_kind */
  unsigned barrier_size;
  unsigned block_name; /* of the lock whose name the block has */
  gen_thread *first;   /* likely to go first, or NULL */

  /* the machine */
  uint64_t memory[GEN_OBJECTS];
  unsigned semaphore;
  unsigned arrived;
  bool dependences; /* are told */
  unsigned events;
  omen_line text;
} gen;

static inline unsigned
gen_pick (gen *g, unsigned n)
{
  return oracle_below (&g->random, n);
}

static inline bool
gen_chance (gen *g, unsigned in_hundred)
{
  return oracle_chance (&g->random, in_hundred);
}

/* ---- idioms.c ---- */
#define ORACLE_ONE(name) +1
#define ORACLE_IDIOM_COUNT (0 ORACLE_IDIOMS (ORACLE_ONE))
/* Plays with thread t, and perhaps others. */
typedef void script_idiom (gen *g, gen_thread *t);
extern script_idiom *const script_idioms[ORACLE_IDIOM_COUNT];
/* A thread other than t, if there is one. */
gen_thread *script_another (gen *g, const gen_thread *t);

/* ---- script.c ---- */
/* Append a step. */
gen_step *script_add (gen_thread *t, unsigned kind, unsigned object);
/* Fill the threads' scripts with `least` to `most` steps in all. */
void script_write (gen *g, unsigned least, unsigned most);

/* ---- script_run.c ---- */
/* Run them for at most `events` events, text into g->text. */
void script_run (gen *g, unsigned events);

#endif
