/* What SideTrack counts, as Table 1 of its paper. */
#ifndef OMEN_CMD_SIDETRACK_TABLE_H
#define OMEN_CMD_SIDETRACK_TABLE_H

#include "cmd/predict_options.h"

#include <jansson.h>

/* The columns by name; new reference. */
json_t *omen_sidetrack_json (const omen_sidetrack_table *table);
/* omen predict atomicity --engine sidetrack --table TRACE…: a row for each, and
   the sum of several; the exit code. */
int omen_cmd_sidetrack_table (const omen_predict_request *request);

#endif
