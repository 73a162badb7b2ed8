/* Which file the recording goes to. */
#ifndef OMEN_RUNTIME_CORE_PATH_H
#define OMEN_RUNTIME_CORE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Make the file: the one that the options name or, if it is there already or
   the process is the child of one that records, one beside it: run.omen.PID,
   run.omen.PID.2, … A device or pipe is taken as it is. A child has no
   descriptor of its parent's file afterwards. NULL, or what is wrong.
   `large`: a second descriptor of it is opened, if that can be, which writes
   past the cache of pages (direct.h). */
const char *omen_path_open (bool child, bool large);
bool omen_path_has_direct (void);

/* What goes wrong, or NULL. The file is looked at each time, because the
   program may have closed it and may have got its number for one of its own. */
const char *omen_path_append (const void *bytes, size_t size);
const char *omen_path_write (const void *bytes, size_t size, uint64_t at);
const char *omen_path_read (void *bytes, size_t size, uint64_t at);

/* By the second descriptor: how many bytes were written, or an error number
   below 0: -EINVAL, if the file does not end at the right place. */
long omen_path_append_direct (const void *bytes, size_t size);
/* How large it is now; false: it is not there any more. */
bool omen_path_size (uint64_t *size);

/* Bytes that may be written to its disk, when it was opened (0: not known), and
   that it takes there. */
uint64_t omen_path_free (void);
uint64_t omen_path_used (void);

/* Take that many bytes off its end. */
void omen_path_shorten (size_t size);

#endif
