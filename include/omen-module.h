/* omen-module.h: what omen makes of a property file, as a part of the program
   that it is about. Written by omen cc --spec and omen monitor, read by the
   runtime; C and C++. Programs have no use for it.

     static omen_spec_module omen_self = { OMEN_MODULE_VERSION, … };
     constructor: __omen_module_add (&omen_self);

   Handlers and conditions are functions of the module; everything else is
   tables. Values are 64-bit words, by slot (what an event binds, in the order
   of its names) or by parameter of the property. */
#ifndef OMEN_MODULE_H
#define OMEN_MODULE_H

#include <omen-monitor.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define OMEN_MODULE_VERSION 5

/* A handler's view of the instance that it is called for. */
typedef struct omen_landing {
  const uint64_t *values; /* by parameter; 0 if not bound */
  uint32_t bound;         /* set of parameters */
  uint32_t reset;         /* out: __RESET was said */
  const char *where;      /* __LOC: "file:line" of the event */
  const char *property, *category;
} omen_landing;

typedef void (*omen_handle) (omen_landing *call);
typedef int (*omen_holds_function) (const uint64_t *values);

typedef struct omen_module_cut {
  const char *text;          /* "call(list_add(c, ..))" */
  const char *place;         /* "iter.mop:3:9" */
  omen_holds_function holds; /* condition over the slots, or NULL */
  const char *thread;        /* only in threads of that name, or NULL */
} omen_module_cut;

typedef struct omen_module_event {
  const char *name;
  uint32_t binds; /* set of parameters */
  uint32_t slots;
  const char *const *names;     /* by slot */
  const signed char *parameter; /* by slot: the property's, or -1 */
  uint32_t cuts;
  const omen_module_cut *cut;
} omen_module_event;

typedef struct omen_module_sources {
  uint32_t count;
  const uint8_t *sets;
} omen_module_sources;

typedef struct omen_module_formula {
  const char *logic, *engine;
  const uint32_t *words;
  uint32_t count, categories;
  const char *const *category;
  const omen_handle *handlers; /* by category; NULL: none */
  uint32_t resets;
  uint64_t listens, creation;
  const omen_module_sources *sources, *idle; /* by event */
  const omen_own_monitor *own;               /* the user's; or NULL */
} omen_module_formula;

typedef struct omen_module_property {
  const char *name;
  uint32_t modifiers, parameters, events, predicates, formulas;
  const char *const *parameter;
  const omen_module_event *event;
  const omen_module_formula *formula;
  uint32_t watches; /* variables that state predicates speak of */
  const char *const *watch;
  /* those that hold, as bits, and above them those that are not known; behind
     the values two sets of them: doubles, and those that are missing */
  uint64_t (*state) (const uint64_t *values);
  uint32_t keeps; /* set of parameters whose end is an event of its own */
} omen_module_property;

/* A function of a library that stands before the real one: events of those who
   call it. */
enum {
  OMEN_HOOK_RESULT = 30, /* of a binding: not an argument but the result */
  OMEN_HOOK_STORED = 31, /* what the first argument points to */
  OMEN_HOOK_THREAD = 32
};
enum { /* an event only if the result, */
       OMEN_HOOK_ANY,
       OMEN_HOOK_ZERO,
       OMEN_HOOK_NOT_ZERO,
       OMEN_HOOK_GIVEN /* or the first argument, is this */
};

typedef struct omen_hook_cut {
  uint32_t property, event, cut;
  uint8_t after, only, pairs, tests;
  const uint8_t *pair; /* source, slot; source, slot; … */
  const int64_t *test; /* argument, value; … */
} omen_hook_cut;

typedef struct omen_hook {
  void *real; /* first: the runtime's assembly reads it */
  const char *name;
  const struct omen_spec_module *module;
  uint32_t count, after; /* any of them comes after */
  const omen_hook_cut *cuts;
  uint64_t called;
} omen_hook;

typedef struct omen_spec_module {
  uint32_t version, properties;
  uint64_t spec; /* hash of the text */
  const char *path;
  const omen_module_property *property;
  omen_hook *hooks;
  uint32_t hook_count;
  /* of the same library or program, made by the weaver */
  void *moments, *moments_end;
  void *watched, *watched_end;
  struct omen_spec_module *next;
  void *state; /* the runtime's */
} omen_spec_module;

void __omen_module_add (omen_spec_module *module);
void __omen_hook (void); /* with the hook in r11 */
/* "omen: …" on the program's stderr, one line. */
void omen_message (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

static inline double
omen_as_double (uint64_t word)
{
  double value;
  memcpy (&value, &word, sizeof value);
  return value;
}

static inline float
omen_as_float (uint64_t word)
{
  float value;
  memcpy (&value, &word, sizeof value);
  return value;
}

#endif
