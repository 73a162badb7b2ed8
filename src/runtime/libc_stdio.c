/* <stdio.h> besides printf and scanf. All of them may wait: for a file, or for
   the lock of a stream that another thread has. */
#include "runtime/libc.h"

#include <stdio.h>
#include <string.h>

#undef fread_unlocked /* macros */
#undef fwrite_unlocked

OMEN_LIBC_BLOCKS (size_t, fread,
                  (void *to, size_t size, size_t count, FILE *file),
                  (to, size, count, file), ,
                  omen_wrote (to, result * size, pc))
OMEN_LIBC_BLOCKS (size_t, fread_unlocked,
                  (void *to, size_t size, size_t count, FILE *file),
                  (to, size, count, file), ,
                  omen_wrote (to, result * size, pc))
OMEN_LIBC_BLOCKS (
    size_t, __fread_chk,
    (void *to, size_t room, size_t size, size_t count, FILE *file),
    (to, room, size, count, file), , omen_wrote (to, result * size, pc))
OMEN_LIBC_BLOCKS (size_t, fwrite,
                  (const void *from, size_t size, size_t count, FILE *file),
                  (from, size, count, file),
                  omen_read (from, size * count, pc), )
OMEN_LIBC_BLOCKS (size_t, fwrite_unlocked,
                  (const void *from, size_t size, size_t count, FILE *file),
                  (from, size, count, file),
                  omen_read (from, size * count, pc), )

OMEN_LIBC_BLOCKS (int, fputs, (const char *text, FILE *file), (text, file),
                  omen_read_text (text, SIZE_MAX, pc), )
OMEN_LIBC_BLOCKS (int, fputs_unlocked, (const char *text, FILE *file),
                  (text, file), omen_read_text (text, SIZE_MAX, pc), )
OMEN_LIBC_BLOCKS (int, puts, (const char *text), (text),
                  omen_read_text (text, SIZE_MAX, pc), )
OMEN_LIBC_BLOCKS (char *, fgets, (char *to, int size, FILE *file),
                  (to, size, file), , if (result) omen_wrote_text (to, pc))
OMEN_LIBC_BLOCKS (char *, __fgets_chk,
                  (char *to, size_t room, int size, FILE *file),
                  (to, room, size, file), ,
                  if (result) omen_wrote_text (to, pc))

/* They may have moved the line to another block; malloc notes that. */
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

OMEN_LIBC_BLOCKS (ssize_t, getline, (char **line, size_t *room, FILE *file),
                  (line, room, file), have_line (line, room, pc),
                  got_line (line, room, result, pc))
OMEN_LIBC_BLOCKS (ssize_t, getdelim,
                  (char **line, size_t *room, int end, FILE *file),
                  (line, room, end, file), have_line (line, room, pc),
                  got_line (line, room, result, pc))
OMEN_LIBC_BLOCKS (ssize_t, __getdelim,
                  (char **line, size_t *room, int end, FILE *file),
                  (line, room, end, file), have_line (line, room, pc),
                  got_line (line, room, result, pc))

OMEN_LIBC_BLOCKS (int, fflush, (FILE *file), (file), , )
OMEN_LIBC_BLOCKS (int, fgetc, (FILE *file), (file), , )
OMEN_LIBC_BLOCKS (int, getc, (FILE *file), (file), , )
OMEN_LIBC_BLOCKS (int, getchar, (void), (), , )
OMEN_LIBC_BLOCKS (int, fputc, (int c, FILE *file), (c, file), , )
OMEN_LIBC_BLOCKS (int, putc, (int c, FILE *file), (c, file), , )
OMEN_LIBC_BLOCKS (int, putchar, (int c), (c), , )
