/* Manual pages in troff form, made from what the commands say of themselves:
   name, summary, argp options and argp doc.

     omen help --man trace stat     >omen-trace-stat.1
     omen help --man                >omen.1

   In an argp doc, an empty line separates paragraphs and lines that start with
   a blank are set as they are. */
#ifndef OMEN_CMD_MAN_H
#define OMEN_CMD_MAN_H

#include "cmd/cmd.h"

#include <stdio.h>

void omen_man_command (const omen_cmd *cmd, FILE *out);
void omen_man_overview (FILE *out);

#endif
