/* A file of findings, read again: findings.json of omen check, or what omen
   predict prints with --format json and --witness-dir.

     omen_report_file file;
     if (!omen_report_read (&file, "out/findings.json", &err)) …
     omen_report_html (&file.report, stdout, &err);
     omen_report_file_fini (&file);

   It names a trace, for all findings or for each, and a witness for each, as
   paths from the folder of the file or from here. Findings of one trace stand
   together. What a finding claims is read from its witness;
   the file adds status, count and note. The witnesses are not judged again:
   `omen verify` does that. */
#ifndef OMEN_REPORT_READ_H
#define OMEN_REPORT_READ_H

#include "report/report.h"

/* One process; see omen_report_run. */
typedef struct omen_report_source {
  char *name; /* as the file spells it */
  omen_trace *trace;
  omen_findings findings;
} omen_report_source;

typedef struct omen_report_file {
  omen_report report; /* of the fields below */
  OMEN_VEC (omen_report_source) sources;
  omen_report_run *runs;
  char *witness_dir;
  uint64_t undecided;
} omen_report_file;

/* `path`: the file, or a folder that holds findings.json. */
bool omen_report_read (omen_report_file *file, const char *path, omen_err *err);
void omen_report_file_fini (omen_report_file *file);

#endif
