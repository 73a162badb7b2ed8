/* The folder that omen check leaves: findings.json, report.html, report.sarif,
   witness/N and spec/IDENTITY.mop beside the traces. Each file appears whole or
   not at all. */
#ifndef OMEN_DRIVER_CHECK_FOLDER_H
#define OMEN_DRIVER_CHECK_FOLDER_H

#include "driver/spec_list.h"
#include "report/report.h"

/* %n of the pattern is the name of the program, %p this process, %% is %; free
   the result. */
char *omen_check_folder_name (const char *pattern, const char *program);
/* Make it, with the folders around it and an empty witness/. One that is there
   must be empty or have the mark of an earlier check: what that one left goes,
   other files stay. Else nothing is touched. It is locked until `lock` is
   closed, if that is not -1: a check that finds it locked fails. */
bool omen_check_folder_make (const char *folder, int *lock, omen_err *err);
/* One that has an exploration which goes on: recordings stay. */
bool omen_check_folder_again (const char *folder, int *lock, omen_err *err);
/* What an exploration knows (driver/explore/session.h). */
#define OMEN_EXPLORATION_FILE "exploration"
/* Room on its disk for the reports, until this is closed; -1: none. */
int omen_check_folder_reserve (const char *folder);
/* Finding N's witness as folder/witness/N, for all runs of the report. */
bool omen_check_folder_witnesses (const char *folder, const omen_report *report,
                                  omen_err *err);
/* The reports, each as far as that can be done; `undecided` goes into
   findings.json. */
bool omen_check_folder_reports (const char *folder, const omen_report *report,
                                uint64_t undecided, omen_err *err);

#endif
