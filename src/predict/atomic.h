/* Which blocks are meant to be atomic.

     all      blocks marked by begin and end, and every function but main and
              the first function of a thread that was forked
     steady   the same without functions in which a thread was seen to wait for
              another one (condition, semaphore, barrier, join, polling, data
              from a pipe), and without those that call one of these: a thread
              that waits lets others in. Nor is a function to blame for what it
              did before it started the other thread, or for what a function
              that it calls is blamed for; and the guards of static locals do
              not count. omen check's default
     marked   only the marked ones
     listed   as a file says, one name a line:
                withdraw     this function
                -log         not this function or block, whatever else is said
                *            every function, main and thread entries too
              With no line of the first or last kind: all but those left out.
              Marked blocks are atomic unless left out. # starts a comment.

   Owner: init/fini. */
#ifndef OMEN_PREDICT_ATOMIC_H
#define OMEN_PREDICT_ATOMIC_H

#include "base/err.h"
#include "base/names.h"
#include "model/model.h"

typedef enum omen_atomic_mode {
  OMEN_ATOMIC_ALL,
  OMEN_ATOMIC_STEADY,
  OMEN_ATOMIC_MARKED,
  OMEN_ATOMIC_LISTED
} omen_atomic_mode;

typedef struct omen_atomic {
  omen_atomic_mode mode;
  bool every; /* LISTED: there is a line with * */
  omen_names wanted, left_out;
} omen_atomic;

void omen_atomic_init (omen_atomic *atomic, omen_atomic_mode mode);
void omen_atomic_fini (omen_atomic *atomic);
/* Read a list; the mode becomes LISTED. False if a line is not valid. */
bool omen_atomic_parse (omen_atomic *atomic, const char *path, const char *text,
                        size_t size, omen_err *err);

/* Is a block of this kind (OMEN_BEGIN, OMEN_ENTER) and name atomic? `entry`:
   it is the first function of a forked thread. `atomic` NULL: all. */
bool omen_atomic_chosen (const omen_atomic *atomic, unsigned kind,
                         const char *name, bool entry);

/* omen_atomic_chosen for every block of a model: one byte a block, to be freed
   by the caller. */
uint8_t *omen_atomic_blocks (const omen_atomic *atomic,
                             const omen_model *model);
/* Private to the above: clear `chosen` for functions that wait, and for their
   callers. */
void omen_atomic_leave_out_waiting (const omen_model *model, uint8_t *chosen);
/* Does e1 happen before all events of the other thread, and are e1 and e2 in
   no common block marked by begin? Then no function can be blamed for what
   comes between. */
bool omen_atomic_starts (const omen_atomic *atomic, const omen_model *model,
                         const uint8_t *chosen, omen_eid e1, omen_eid e2,
                         omen_tid other);
/* Are the variable's accesses ignored? */
bool omen_atomic_left_out (const omen_atomic *atomic, const omen_trace *trace,
                           omen_vid variable);
/* The opening event of the innermost chosen block that contains both events of
   one thread, or OMEN_NONE. */
omen_eid omen_atomic_block (const omen_model *model, const uint8_t *chosen,
                            omen_eid a, omen_eid b);
/* The opening event of the next chosen block around the one opened at `open`
   that also contains e, or OMEN_NONE. */
omen_eid omen_atomic_around (const omen_model *model, const uint8_t *chosen,
                             omen_eid open, omen_eid e);
/* The name of the block that `open` opens. */
const char *omen_atomic_name (const omen_trace *trace, omen_eid open);

#endif
