/* A logic: how its formulas are read, and what machine they become. One file
   logic_NAME.c and one line in logics.def make one; CONTRIBUTING.md has the
   recipe.

   Most logics are finite automata in the end: they give `automaton`, and the
   rest (minimal form, creation events, enable and coenable sets, the table) is
   done for them. Others give `machine` and all of that themselves. */
#ifndef OMEN_SPEC_LOGIC_H
#define OMEN_SPEC_LOGIC_H

#include "monitor/property.h"
#include "monitor/written.h"
#include "spec/automaton.h"
#include "spec/family.h"
#include "spec/parser.h"

#include <stdio.h>

/* A formula to be compiled: categories are numbered as in `goals`, which the
   formula has. */
typedef struct omen_building {
  const omen_spec *spec;
  const omen_spec_property *property;
  const omen_spec_formula *formula;
  const char *const *goals;
  uint32_t goal_count;
  uint32_t resets;   /* goals whose handler starts the machine anew */
  uint64_t creation; /* events marked `creation`; 0: none are */
  omen_err *err;
} omen_building;

/* A formula being converted to monitor/written.h. */
typedef struct omen_writing {
  OMEN_VEC (omen_written_node) nodes;
  OMEN_VEC (const char *) names; /* borrowed */
} omen_writing;

/* The number of the node. */
uint32_t omen_write_node (omen_writing *out, omen_written_kind kind, uint32_t a,
                          uint32_t b, uint32_t c);

/* A machine under construction; the caller frees the words. */
typedef struct omen_built {
  const omen_machine_engine *engine;
  omen_ids words;
  uint64_t creation;
  omen_family sources[OMEN_EVENTS_MAX];
  omen_family idle[OMEN_EVENTS_MAX]; /* none is always right */
} omen_built;

typedef struct omen_logic {
  const char *name, *alias; /* alias may be NULL */
  const char *categories;   /* for messages: "match, fail, nonfail" */
  const char *about;        /* the category meant where there is no handler */
  /* Parse the formula at the lexer, up to the first token that cannot belong to
     it; NULL with err set. The result lives in the spec's arena. */
  const void *(*parse) (omen_parser *parser);
  /* Write the formula as it was read. NULL: it is C code. */
  void (*write) (const void *formula, omen_writing *out);
  bool (*has_category) (const void *formula, const char *category);
  bool (*has_suffix) (const char *category); /* NULL: no `suffix` at all */
  /* Logics with an automaton: the creation events, if none are marked and the
     formula has no category fail or nonfail. NULL: those that can begin a
     word. */
  uint64_t (*creation) (const omen_building *building,
                        const omen_automaton *automaton);
  /* One of the two is set. automaton: the caller frees the result; NULL with
     err set. */
  omen_automaton *(*automaton) (const omen_building *building);
  bool (*machine) (const omen_building *building, omen_built *built);
  /* For logics without automaton: Graphviz statements; names of nodes begin
     with prefix. */
  void (*draw) (const omen_building *building, const char *prefix, FILE *out);
} omen_logic;

#define OMEN_LOGIC(name) extern const omen_logic omen_logic_##name;
#include "spec/logics.def"

/* By name or alias; NULL if there is none. */
const omen_logic *omen_logic_find (const char *name, size_t length);
/* "ere, fsm, …", for messages. */
void omen_logic_names (char *out, size_t room);

/* Is it one of match, fail, nonfail? Of violation, validation? */
bool omen_is_matching (const void *formula, const char *category);
bool omen_is_judging (const void *formula, const char *category);
bool omen_suffix_matches (const char *category);

/* Given an automaton with verdicts 1 (match) and 0: set the verdicts for the
   goals, which are match, fail (no match can follow) or nonfail. */
void omen_automaton_matching (omen_automaton *automaton,
                              const omen_building *building);

/* The events that make some later verdict differ, or reach a category at
   once. */
uint64_t omen_creation_moves (const omen_building *building,
                              const omen_automaton *automaton);

/* Every event makes instances (unless some are marked) and may follow any: for
   machines of which no more is known. */
void omen_built_generous (omen_built *built, const omen_building *building);

/* An error at the formula. Always false. */
bool omen_building_fail (const omen_building *building, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

#endif
