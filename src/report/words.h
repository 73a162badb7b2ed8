/* Private to report/: sentences and strings shared by the forms. */
#ifndef OMEN_REPORT_WORDS_H
#define OMEN_REPORT_WORDS_H

#include "report/reporter.h"

/* "race on x by order": the finding without number and status. */
void omen_words_headline (const omen_reporter *reporter,
                          const omen_finding *finding, FILE *out);
/* The subject: for a race or read the field, if both accesses have the same
   one; otherwise the variable, or what omen_reporter_subject gives. */
const char *omen_words_subject (const omen_reporter *reporter,
                                const omen_finding *finding,
                                char part[OMEN_PART_NAME_MAX]);
/* "warning: " or "note: "; nothing for errors. */
void omen_words_severity (const omen_trace *trace, const omen_finding *finding,
                          FILE *out);
/* "schedule: T1[0..2] T2[0]", shortened if it is long. */
void omen_words_schedule (omen_reporter *reporter, const omen_finding *finding,
                          FILE *out);
/* ", then T1:3, T2:1 are both next", which follows a schedule. */
void omen_words_outcome (const omen_trace *trace, const omen_finding *finding,
                         FILE *out);

/* "omen replay DIR/3 -- ./bank": the shell command that replays finding
   `number`. */
void omen_words_replay (const omen_trace *trace, const char *witness_dir,
                        unsigned number, FILE *out);

/* Printing into a JSON string:

     omen_printed p;
     print (omen_printed_open (&p));
     json = omen_printed_close (&p);     new reference */
typedef struct omen_printed {
  char *text;
  size_t size;
  FILE *file;
} omen_printed;
FILE *omen_printed_open (omen_printed *p);
json_t *omen_printed_close (omen_printed *p);

/* The headline as a JSON string; new reference. */
json_t *omen_words_headline_json (const omen_reporter *reporter,
                                  const omen_finding *finding);
/* "12 events in 3 runs …, then T1:3, T2:1 are both next." and the note. */
json_t *omen_words_sentence_json (omen_reporter *reporter,
                                  const omen_finding *finding);

/* fingerprint.c: an identifier that the same finding has in other runs; see
   baseline.h. For a finding by_cause, the first names its block or cause, the
   second always its own accesses. */
json_t *omen_words_fingerprint_json (omen_reporter *reporter,
                                     const omen_finding *finding);
json_t *omen_words_pair_fingerprint_json (omen_reporter *reporter,
                                          const omen_finding *finding);

/* The message of a sanitizer, each line after `margin`. */
void omen_words_said (const omen_finding *finding, const char *margin,
                      FILE *out);

/* What wcr, crw or cr means for a nondeterministic read; otherwise NULL. */
const char *omen_words_order (const omen_finding *finding);

/* A JSON string; bytes that are not UTF-8 become U+FFFD. New reference. */
json_t *omen_words_text_n (const char *text, size_t length);
json_t *omen_words_text (const char *text);

#endif
