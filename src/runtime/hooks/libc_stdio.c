/* <stdio.h> except printf and scanf. All calls may block: for a file, or for
   the lock of a stream. Output may leave the buffer at once or later, by
   whichever thread fills it: it is logged when it is written to the stream;
   input likewise. */
#include "runtime/hooks/channel.h"
#include "runtime/hooks/libc.h"

#include <stdio.h>
#include <string.h>

#undef fread_unlocked /* macros */
#undef fwrite_unlocked
#undef fputc_unlocked
#undef fgetc_unlocked

/* Logs `before`, then output to `file`. */
#define OUT(type, name, parameters, arguments, file, before)                   \
  OMEN_LIBC_BLOCKS (type, name, parameters, arguments, before;                 \
                    omen_channel_file_before (file, pc), )

/* Logs input from `file`, then what follows it. */
#define IN(type, name, parameters, arguments, file, before, after)             \
  OMEN_LIBC_BLOCKS (type, name, parameters, arguments, before,                 \
                    omen_channel_file_after (file, pc);                        \
                    after)

IN (size_t, fread, (void *to, size_t size, size_t count, FILE *file),
    (to, size, count, file), file, , omen_wrote (to, result *size, pc))
IN (size_t, fread_unlocked, (void *to, size_t size, size_t count, FILE *file),
    (to, size, count, file), file, , omen_wrote (to, result *size, pc))
IN (size_t, __fread_chk,
    (void *to, size_t room, size_t size, size_t count, FILE *file),
    (to, room, size, count, file), file, , omen_wrote (to, result *size, pc))
OUT (size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file),
     (from, size, count, file), file, omen_read (from, size *count, pc))
OUT (size_t, fwrite_unlocked,
     (const void *from, size_t size, size_t count, FILE *file),
     (from, size, count, file), file, omen_read (from, size *count, pc))

OUT (int, fputs, (const char *text, FILE *file), (text, file), file,
     omen_read_text (text, SIZE_MAX, pc))
OUT (int, fputs_unlocked, (const char *text, FILE *file), (text, file), file,
     omen_read_text (text, SIZE_MAX, pc))
OUT (int, puts, (const char *text), (text), stdout,
     omen_read_text (text, SIZE_MAX, pc))
IN (char *, fgets, (char *to, int size, FILE *file), (to, size, file), file, ,
    if (result) omen_wrote_text (to, pc))
IN (char *, fgets_unlocked, (char *to, int size, FILE *file), (to, size, file),
    file, , if (result) omen_wrote_text (to, pc))
IN (char *, __fgets_chk, (char *to, size_t room, int size, FILE *file),
    (to, room, size, file), file, , if (result) omen_wrote_text (to, pc))

/* The line may have been moved to another block; the hook of malloc logs
   that. */
static void
got_line (char **line, size_t *room, ssize_t length, uint64_t pc)
{
  omen_wrote (line, sizeof *line, pc);
  omen_wrote (room, sizeof *room, pc);
  if (length >= 0)
    omen_wrote (*line, (size_t)length + 1, pc);
}

static void
have_line (char **line, size_t *room, uint64_t pc)
{
  omen_read (line, sizeof *line, pc);
  omen_read (room, sizeof *room, pc);
}

IN (ssize_t, getline, (char **line, size_t *room, FILE *file),
    (line, room, file), file, have_line (line, room, pc),
    got_line (line, room, result, pc))
IN (ssize_t, getdelim, (char **line, size_t *room, int end, FILE *file),
    (line, room, end, file), file, have_line (line, room, pc),
    got_line (line, room, result, pc))
IN (ssize_t, __getdelim, (char **line, size_t *room, int end, FILE *file),
    (line, room, end, file), file, have_line (line, room, pc),
    got_line (line, room, result, pc))

IN (int, fgetc, (FILE * file), (file), file, , )
IN (int, getc, (FILE * file), (file), file, , )
IN (int, getchar, (void), (), stdin, , )
IN (int, fgetc_unlocked, (FILE * file), (file), file, , )
OUT (int, fputc, (int c, FILE *file), (c, file), file, )
OUT (int, putc, (int c, FILE *file), (c, file), file, )
OUT (int, putchar, (int c), (c), stdout, )
OUT (int, fputc_unlocked, (int c, FILE *file), (c, file), file, )
/* What the getc_unlocked and putc_unlocked macros call at the end of the
   buffer. */
IN (int, __uflow, (FILE * file), (file), file, , )
OUT (int, __overflow, (FILE * file, int c), (file, c), file, )

/* -- Streams themselves -------------------------------------------------- */

OMEN_LIBC_BLOCKS (int, fflush, (FILE * file), (file),
                  if (file) omen_channel_file_before (file, pc);
                  else omen_outside_before (pc), )
OMEN_LIBC_BLOCKS (int, fclose, (FILE * file), (file), int fd = fileno (file);
                  omen_channel_file_before (file, pc), omen_channel_closed (fd))
OMEN_LIBC_BLOCKS (FILE *, freopen,
                  (const char *path, const char *mode, FILE *file),
                  (path, mode, file), omen_channel_file_before (file, pc),
                  omen_channel_closed (-1))
OMEN_ALSO (freopen, freopen64);
