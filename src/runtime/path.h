/* Which file the recording goes to. */
#ifndef OMEN_RUNTIME_PATH_H
#define OMEN_RUNTIME_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Make the file: the one that the options name or, if it is there already or
   the process is the child of one that records, one beside it: run.omen.PID,
   run.omen.PID.2, … A device or pipe is taken as it is. NULL, or what is
   wrong. */
const char *omen_path_open (bool child);

/* Its descriptor; looked at each time, because the program may have closed it
   and may have got its number for a file of its own. Below 0: not to be had. */
int omen_path_file (void);

/* Take that many bytes off its end. */
void omen_path_shorten (size_t size);

const char *omen_path_name (void);
const char *omen_path_error (long error);

#endif
