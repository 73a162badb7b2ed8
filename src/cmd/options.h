/* Options that several commands share, each defined once with one range and one
   help text, and helpers for other options.

   A shared option is an argp of its own, a child of the command's. A table says
   which field of the command's input, of type `request`, an option fills:

     #define SHARED(X) X (specs, specs) X (jobs, options.jobs)
     static const struct argp_child children[] = { SHARED (OMEN_CHILD) { 0 } };
     static const omen_option_slot slots[]
         = { SHARED (OMEN_INPUT) OMEN_FLAG (KEY_STRICT, strict),
             OMEN_TEXT (ARGP_KEY_ARG, "TRACE", path), { 0 } };
     …
       if (omen_option_take (state, slots, key, arg))
         return 0;

   The command initializes the fields with its defaults. A bad value, or a
   repeated option that takes one value, is a usage error. */
#ifndef OMEN_CMD_OPTIONS_H
#define OMEN_CMD_OPTIONS_H

#include "driver/check/check.h"

#include <argp.h>
#include <stddef.h>

typedef const char *omen_option_text; /* NULL: not given */

typedef struct omen_option_choice {
  const char *text; /* as typed; NULL: not given, `value` is unchanged */
  unsigned value;
} omen_option_choice;

/* One finding for each cause (driver/fold.h). */
#define OMEN_GROUP_CAUSE OMEN_GROUPS

/* The help text of --all, also for omen trace dump. */
#define OMEN_OPTION_ALL                                                        \
  "Of a recording, also events that cannot change what is found: accesses "    \
  "whose order is the same in all runs, as forks, joins and barriers say"

/* X (name, type of its field) */
#define OMEN_SHARED_OPTIONS(X)                                                 \
  X (all, bool)                   /* also what is settled */                   \
  X (atomic, omen_option_text)    /* for omen_atomic_load */                   \
  X (breadth, omen_option_choice) /* 0: all */                                 \
  X (fail_on, omen_fail_on)       /* what makes the exit code 1 */             \
  X (format, bool)                /* json, not text */                         \
  X (group, omen_option_choice)   /* omen_group_by, or OMEN_GROUP_CAUSE */     \
  X (jobs, unsigned)                                                           \
  X (memory, uint64_t)          /* bytes */                                    \
  X (model, omen_option_choice) /* omen_model_name */                          \
  X (output, omen_option_text)  /* of results; - is standard output */         \
  X (quiet, bool)                                                              \
  X (recording, omen_record_request) /* --schedule, --for, --max-size, and the \
                                        program */                             \
  X (recorded, omen_option_text)     /* --output of recordings */              \
  X (source_paths, omen_source_paths)                                          \
  X (specs, omen_spec_list) /* its paths */                                    \
  X (timeout, double)

#define OMEN_DECLARE_OPTION(name, type)                                        \
  extern const struct argp omen_option_##name;                                 \
  typedef type omen_option_##name##_value;
OMEN_SHARED_OPTIONS (OMEN_DECLARE_OPTION)
#undef OMEN_DECLARE_OPTION

#define OMEN_CHILD(name, field) { &omen_option_##name, 0, NULL, 0 },

typedef struct omen_option_slot {
  enum { OMEN_SLOT_END, OMEN_SLOT_CHILD, OMEN_SLOT_FLAG, OMEN_SLOT_TEXT } kind;
  int key;
  const char *name; /* of a text, for "--wait given twice" */
  size_t offset;    /* in the command's input */
} omen_option_slot;

/* The children's slots, in the order of the children; does not compile if the
   field has another type than OMEN_SHARED_OPTIONS says. */
#define OMEN_INPUT(name, field)                                                \
  { OMEN_SLOT_CHILD, ARGP_KEY_INIT,                                            \
    _Generic (&((request *)0)->field, omen_option_##name##_value *: #field),   \
    offsetof (request, field) },
/* A bool that the option sets. */
#define OMEN_FLAG(key, field)                                                  \
  { OMEN_SLOT_FLAG, key, NULL, offsetof (request, field) }
/* A const char * that keeps the argument as typed. */
#define OMEN_TEXT(key, name, field)                                            \
  { OMEN_SLOT_TEXT, key, name, offsetof (request, field) }

/* False: the key belongs to none of the slots. */
bool omen_option_take (struct argp_state *state, const omen_option_slot *slots,
                       int key, const char *arg);

/* Groups of options in --help and manual pages; options in no group come first.
   The command gives the heading of a group once. */
enum { OMEN_ANALYSIS_OPTIONS = 1, OMEN_RECORDING_OPTIONS };
#define OMEN_OPTIONS_HEAD(text, group) { NULL, 0, NULL, 0, text, group }

/* Converts the number, time or word that was typed. False: `text` is NULL, as
   the option was not given, and the value is unchanged. */
bool omen_option_number (struct argp_state *state, const char *name,
                         const char *text, uint64_t least, uint64_t most,
                         uint64_t *value);
bool omen_option_seconds (struct argp_state *state, const char *name,
                          const char *text, double *value);
bool omen_option_word (struct argp_state *state, const char *name,
                       const char *text, const char *const *words, size_t count,
                       unsigned *value);

/* The model and the grouping of omen check and omen explore. */
void omen_option_analysis (struct argp_state *state,
                           const omen_option_choice *model,
                           const omen_option_choice *group,
                           omen_check_request *check);

#endif
