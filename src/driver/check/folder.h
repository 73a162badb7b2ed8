/* The output directory of omen check: findings.json, report.html, report.sarif,
   witness/N and spec/IDENTITY.mop, besides the traces. Each file is written
   atomically. */
#ifndef OMEN_DRIVER_CHECK_FOLDER_H
#define OMEN_DRIVER_CHECK_FOLDER_H

#include "driver/spec_list.h"
#include "report/report.h"

/* Expands %n to the name of the program, %p to the process id, %% to %. Caller
   frees. */
char *omen_check_folder_name (const char *pattern, const char *program);
/* Creates it, with parent directories and an empty witness/. An existing
   directory must be empty or have the mark of an earlier check, whose files are
   removed while others are kept; otherwise nothing is changed. The directory is
   locked until `lock` is closed (-1: not locked); fails if another check has
   locked it. */
bool omen_check_folder_make (const char *folder, int *lock, omen_err *err);
/* The same for an exploration that is continued: recordings are kept. */
bool omen_check_folder_again (const char *folder, int *lock, omen_err *err);
/* The state of an exploration (driver/explore/session.h). */
#define OMEN_EXPLORATION_FILE "exploration"
/* Reserves disk space for the reports until the descriptor is closed; -1: not
   reserved. */
int omen_check_folder_reserve (const char *folder);
/* Writes the witness of each finding N, of all runs, as folder/witness/N. */
bool omen_check_folder_witnesses (const char *folder, const omen_report *report,
                                  omen_err *err);
/* Writes the reports, as many as possible; `undecided` goes into
   findings.json. */
bool omen_check_folder_reports (const char *folder, const omen_report *report,
                                uint64_t undecided, omen_err *err);

#endif
