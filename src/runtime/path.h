/* Which file the recording goes to. */
#ifndef OMEN_RUNTIME_PATH_H
#define OMEN_RUNTIME_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Make the file: the one that the options name or, if it is there already or
   the process is the child of one that records, one beside it: run.omen.PID,
   run.omen.PID.2, … A device or pipe is taken as it is. NULL, or what is
   wrong. */
const char *omen_path_open (bool child);

/* What goes wrong, or NULL. The file is looked at each time, because the
   program may have closed it and may have got its number for one of its own. */
const char *omen_path_append (const void *bytes, size_t size);
const char *omen_path_write (const void *bytes, size_t size, uint64_t at);
const char *omen_path_read (void *bytes, size_t size, uint64_t at);

/* Take that many bytes off its end. */
void omen_path_shorten (size_t size);

#endif
