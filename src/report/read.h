/* Reads a file of findings: findings.json of omen check, or the output of omen
   predict with --format json and --witness-dir.

     omen_report_file file;
     if (!omen_report_read (&file, "out/findings.json", &err)) …
     omen_report_html (&file.report, stdout, &err);
     omen_report_file_fini (&file);

   The file names a trace (for all findings, or for each) and a witness for
   each, as paths relative to its own directory or the current one. Findings of
   one trace are consecutive. The claim of a finding is read from its witness;
   the file adds status, count and note. Witnesses are not verified again: `omen
   verify` does that. */
#ifndef OMEN_REPORT_READ_H
#define OMEN_REPORT_READ_H

#include "report/report.h"

/* The findings of one process; see omen_report_run. */
typedef struct omen_report_source {
  char *name; /* as written in the file */
  omen_trace *trace;
  omen_findings findings;
} omen_report_source;

typedef struct omen_report_file {
  omen_report report; /* refers to the fields below */
  OMEN_VEC (omen_report_source) sources;
  omen_report_run *runs;
  char *witness_dir;
  uint64_t undecided;
} omen_report_file;

/* `path`: the file, or a directory with a findings.json. */
bool omen_report_read (omen_report_file *file, const char *path, omen_err *err);
void omen_report_file_fini (omen_report_file *file);

#endif
