/* Findings told to people and programs. All strings of programs are escaped as
   the format needs. */
#ifndef OMEN_REPORT_REPORT_H
#define OMEN_REPORT_REPORT_H

#include "report/source_paths.h"
#include "witness/finding.h"

#include <jansson.h>
#include <stdio.h>

typedef OMEN_VEC (omen_finding) omen_findings;

/* Read off the trace once: who holds what where. */
typedef struct omen_reporter omen_reporter;

omen_reporter *omen_reporter_new (const omen_trace *trace);
void omen_reporter_free (omen_reporter *reporter);

/* A paragraph: kind, variable, the events with location and locks held, the
   schedule as runs. `number` counts from 1; 0: none. */
void omen_report_text (omen_reporter *reporter, const omen_finding *finding,
                       unsigned number, FILE *out);
/* One element of "findings"; new reference. */
json_t *omen_report_json (omen_reporter *reporter, const omen_finding *finding,
                          unsigned number);

/* The list of what it stands for, or NULL. Borrowed. */
json_t *omen_report_json_instances (const json_t *json);
/* The file for the witness of the k-th pair of finding `number`: "3", "3.2". */
void omen_report_witness_name (unsigned number, size_t k, char name[32]);
/* Say that the witnesses of a finding are in a folder, by those names. */
void omen_report_json_witness (json_t *json, const char *folder,
                               unsigned number);

/* The same for the same finding of another run (baseline.h); omen_free it. */
char *omen_report_fingerprint (omen_reporter *reporter,
                               const omen_finding *finding);

/* That, and where exactly it is: field, element, lines. omen_free it. */
char *omen_report_place (omen_reporter *reporter, const omen_finding *finding);

/* One process: its trace, and what was found in it. Findings are numbered
   through all processes; `first` is the number of this one's first. */
typedef struct omen_report_run {
  const omen_trace *trace;
  const omen_findings *findings;
  unsigned first;
} omen_report_run;

/* All there is to tell. */
typedef struct omen_report {
  const omen_report_run *runs;
  size_t count;
  const char *witness_dir; /* finding N's witness is DIR/N; NULL: none */
  const omen_source_paths *source_paths; /* NULL: none */
  bool unfinished;                       /* there may be more to come */
} omen_report;

/* One page that needs nothing else: page/page.js says what it can do. False if
   it could not be written. */
bool omen_report_html (const omen_report *report, FILE *out, omen_err *err);
/* SARIF 2.1.0, the schedules as code flows. */
bool omen_report_sarif (const omen_report *report, FILE *out, omen_err *err);

#endif
