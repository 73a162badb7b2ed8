/* A verdict of a property while the program runs: it is printed and passed to
   --on-finding. Sent through a pipe as bytes. */
#ifndef OMEN_DRIVER_WATCH_REPORT_H
#define OMEN_DRIVER_WATCH_REPORT_H

#include "driver/watch/action.h"
#include "witness/finding.h"

enum { OMEN_REPORT_TEXT = 2048 };

typedef struct omen_watch_report {
  char key[OMEN_REPORT_TEXT]; /* two reports with the same key are one */
  char line[2 * OMEN_REPORT_TEXT];
  char property[256], category[128], location[512];
  char binding[OMEN_REPORT_TEXT];
  int pid;
} omen_watch_report;

/* The key alone. */
void omen_watch_report_key (char key[OMEN_REPORT_TEXT], const char *path,
                            const omen_trace *trace, const omen_finding *f);
/* The whole report; `first`: of the process that was started. */
void omen_watch_report_make (omen_watch_report *report, const char *path,
                             bool first, int pid, const omen_trace *trace,
                             const omen_finding *f);
void omen_watch_report_tell (const omen_watch_report *report,
                             omen_watch_action *action);

#endif
