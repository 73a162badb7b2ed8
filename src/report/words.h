/* Private to report/: sentences and strings that several forms share. */
#ifndef OMEN_REPORT_WORDS_H
#define OMEN_REPORT_WORDS_H

#include "report/reporter.h"

/* "race on x by order": what it is, without number and status. */
void omen_words_headline (const omen_reporter *reporter,
                          const omen_finding *finding, FILE *out);
/* What it is about: the field of a race or a read, where both accesses are to
   the same; else the variable, or what omen_reporter_subject says. */
const char *omen_words_subject (const omen_reporter *reporter,
                                const omen_finding *finding,
                                char part[OMEN_PART_NAME_MAX]);
/* "warning: " or "note: "; an error needs no word. */
void omen_words_severity (const omen_trace *trace, const omen_finding *finding,
                          FILE *out);
/* "schedule: T1[0..2] T2[0]", cut in the middle if it is long. */
void omen_words_schedule (omen_reporter *reporter, const omen_finding *finding,
                          FILE *out);
/* ", then T1:3, T2:1 are both next": after a schedule. */
void omen_words_outcome (const omen_trace *trace, const omen_finding *finding,
                         FILE *out);

/* "omen replay DIR/3 -- ./bank": the command that replays finding `number`, for
   the shell. */
void omen_words_replay (const omen_trace *trace, const char *witness_dir,
                        unsigned number, FILE *out);

/* Printed text, taken over as a JSON string:

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

/* What `print` writes, as a JSON string; new reference. */
json_t *omen_words_headline_json (const omen_reporter *reporter,
                                  const omen_finding *finding);
/* "After 12 events in 3 runs, T1:3, T2:1 are both next." and the note. */
json_t *omen_words_sentence_json (omen_reporter *reporter,
                                  const omen_finding *finding);

/* fingerprint.c: the same for the same finding of another run; see
   baseline.h. Of a finding by_cause it names the block, the other one its
   accesses whatever it stands for. */
json_t *omen_words_fingerprint_json (omen_reporter *reporter,
                                     const omen_finding *finding);
json_t *omen_words_pair_fingerprint_json (omen_reporter *reporter,
                                          const omen_finding *finding);

/* What a sanitizer said, each line after `margin`. */
void omen_words_said (const omen_finding *finding, const char *margin,
                      FILE *out);

/* What wcr, crw or cr says of a nondeterministic read; else NULL. */
const char *omen_words_order (const omen_finding *finding);

/* A JSON string; bytes that are not UTF-8 become U+FFFD. New reference. */
json_t *omen_words_text_n (const char *text, size_t length);
json_t *omen_words_text (const char *text);

#endif
