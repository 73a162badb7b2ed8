/* Which file the recording is written to. */
#ifndef OMEN_RUNTIME_CORE_PATH_H
#define OMEN_RUNTIME_CORE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates the file that the options name. If it exists, or if the process is
   the child of a recording one, another beside it: run.omen.PID,
   run.omen.PID.2, … A device or pipe is used as it is. In a child the
   descriptor of the parent's file is closed. Returns NULL, or what is wrong.
   `large`: also open a second descriptor, if possible, that writes past the
   page cache (direct.h). */
const char *omen_path_open (bool child, bool large);
bool omen_path_has_direct (void);

/* Returns NULL, or what went wrong. The descriptor is checked at each write:
   the program may have closed it and reused its number. */
const char *omen_path_append (const void *bytes, size_t size);
const char *omen_path_write (const void *bytes, size_t size, uint64_t at);
const char *omen_path_read (void *bytes, size_t size, uint64_t at);

/* Writes by the second descriptor: the number of bytes, or a negative error
   number; -EINVAL if the file's size is not aligned. */
long omen_path_append_direct (const void *bytes, size_t size);
/* Its present size; false: it is gone. */
bool omen_path_size (uint64_t *size);

/* Bytes that were free on its disk when it was opened (0: not known), and bytes
   that it occupies. */
uint64_t omen_path_free (void);
uint64_t omen_path_used (void);

/* Truncates the file by that many bytes. */
void omen_path_shorten (size_t size);

#endif
