/* Reports of findings for people and programs. All strings from programs are
   escaped as the format requires. */
#ifndef OMEN_REPORT_REPORT_H
#define OMEN_REPORT_REPORT_H

#include "report/source_paths.h"
#include "witness/finding.h"

#include <jansson.h>
#include <stdio.h>

typedef OMEN_VEC (omen_finding) omen_findings;

/* Computes what reports need from a trace, such as the locks held at an
   event. */
typedef struct omen_reporter omen_reporter;

omen_reporter *omen_reporter_new (const omen_trace *trace);
void omen_reporter_free (omen_reporter *reporter);

/* A paragraph: kind, variable, the events with location and locks held, the
   schedule as slices. `number` counts from 1; 0: none. */
void omen_report_text (omen_reporter *reporter, const omen_finding *finding,
                       unsigned number, FILE *out);
/* One element of "findings"; new reference. */
json_t *omen_report_json (omen_reporter *reporter, const omen_finding *finding,
                          unsigned number);

/* The list of a finding's instances, or NULL. Borrowed reference. */
json_t *omen_report_json_instances (const json_t *json);
/* The file name of the witness of instance k of finding `number`: "3",
   "3.2". */
void omen_report_witness_name (unsigned number, size_t k, char name[32]);
/* Add the paths of the witnesses, with these names in the folder. */
void omen_report_json_witness (json_t *json, const char *folder,
                               unsigned number);

/* An identifier that the same finding has in other runs (baseline.h). Caller
   frees. */
char *omen_report_fingerprint (omen_reporter *reporter,
                               const omen_finding *finding);

/* The fingerprint with the exact place: field, element, lines. Caller frees. */
char *omen_report_place (omen_reporter *reporter, const omen_finding *finding);

/* One process: its trace and its findings. Findings are numbered across all
   processes; `first` is the number of its first one. */
typedef struct omen_report_run {
  const omen_trace *trace;
  const omen_findings *findings;
  unsigned first;
} omen_report_run;

/* The contents of a report. */
typedef struct omen_report {
  const omen_report_run *runs;
  size_t count;
  const char *witness_dir; /* finding N's witness is DIR/N; NULL: none */
  const omen_source_paths *source_paths; /* NULL: none */
  json_t
      *explored; /* the result of omen explore, as in findings.json; or NULL */
  bool unfinished; /* there may be more findings */
} omen_report;

/* A self-contained page; its features are in page/page.js. False if it could
   not be written. */
bool omen_report_html (const omen_report *report, FILE *out, omen_err *err);
/* SARIF 2.1.0, with schedules as code flows. */
bool omen_report_sarif (const omen_report *report, FILE *out, omen_err *err);

#endif
