/* Private to report/: JSON that stands inside a <script> element, where "</"
   must not occur. '<' is only found in strings, and is written as \u003c. */
#ifndef OMEN_REPORT_SCRIPT_H
#define OMEN_REPORT_SCRIPT_H

#include <jansson.h>
#include <stdio.h>

/* Writes and releases it. */
void omen_script_json (json_t *value, FILE *out);
/* A string of the program. */
void omen_script_text (const char *text, FILE *out);
void omen_script_text_n (const char *text, size_t length, FILE *out);

#endif
