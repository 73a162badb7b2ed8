/* Private to report/: JSON inside a <script> element, where "</" must not
   occur. As '<' occurs only in strings, it is written as \u003c. */
#ifndef OMEN_REPORT_SCRIPT_H
#define OMEN_REPORT_SCRIPT_H

#include <jansson.h>
#include <stdio.h>

/* Writes the value, and drops the reference. */
void omen_script_json (json_t *value, FILE *out);
/* Writes a string. */
void omen_script_text (const char *text, FILE *out);
void omen_script_text_n (const char *text, size_t length, FILE *out);

#endif
