/* Which characters of untrusted text may reach a terminal: all except those
   that move the cursor, change the direction of writing, or end lines, and
   bytes that are not UTF-8. base/print.h writes those as \xHH. Inline without
   calls, since the runtime uses it, too. */
#ifndef OMEN_BASE_PLAIN_H
#define OMEN_BASE_PLAIN_H

#include "base/defs.h"

#include <stddef.h>

static inline bool
omen_plain_steers (uint32_t c)
{
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) /* C0, DEL, C1 */
         || c == 0x061c                       /* marks of direction */
         || (c >= 0x200b && c <= 0x200f)      /* … */
         || (c >= 0x2028 && c <= 0x202e)      /* line ends, overrides */
         || (c >= 0x2060 && c <= 0x206f)      /* isolates */
         || c == 0xfeff                       /* byte order */
         || (c >= 0xfff9 && c <= 0xfffb)      /* annotations */
         || (c >= 0xe0000 && c <= 0xe007f);   /* tags */
}

/* The size of the character at the start of the text, and its code point; 0 if
   it is not UTF-8 (*c is unchanged). */
static inline size_t
omen_plain_decode (const char *text, size_t length, uint32_t *c)
{
  const unsigned char *s = (const unsigned char *)text;
  size_t size = *s < 0x80             ? 1
                : (*s & 0xe0) == 0xc0 ? 2
                : (*s & 0xf0) == 0xe0 ? 3
                : (*s & 0xf8) == 0xf0 ? 4
                                      : 0;
  uint32_t least = size == 2   ? 0x80
                   : size == 3 ? 0x800
                   : size == 4 ? 0x10000
                               : 0;
  uint32_t read = size == 1 ? *s : *s & (0x7fu >> size);
  if (!size || size > length)
    return 0;
  for (size_t i = 1; i < size; i++) {
    if ((s[i] & 0xc0) != 0x80)
      return 0;
    read = read << 6 | (s[i] & 0x3fu);
  }
  bool surrogate = read >= 0xd800 && read <= 0xdfff;
  if (read < least || read > 0x10ffff || surrogate)
    return 0;
  *c = read;
  return size;
}

/* The size of the character at the start of the text; 0 if it has to be
   escaped. */
static inline size_t
omen_plain_size (const char *text, size_t length)
{
  uint32_t c;
  size_t size = length ? omen_plain_decode (text, length, &c) : 0;
  return size && !omen_plain_steers (c) ? size : 0;
}

/* Escape bytes [from, size) of a line in place; the buffer has `room` bytes,
   and what does not fit is cut off. Returns the new size. */
static inline size_t
omen_plain_escape (char *line, size_t from, size_t size, size_t room)
{
  size_t read = room - (size - from), at = from;
  for (size_t i = size; i-- > from;)
    line[i + (room - size)] = line[i];
  while (read < room) {
    size_t plain = omen_plain_size (line + read, room - read);
    unsigned char byte = (unsigned char)line[read];
    if (!plain && at + 4 > read + 1)
      break;
    for (size_t i = 0; i < plain; i++)
      line[at++] = line[read + i];
    if (!plain) {
      line[at++] = '\\';
      line[at++] = 'x';
      line[at++] = "0123456789abcdef"[byte >> 4];
      line[at++] = "0123456789abcdef"[byte & 15];
    }
    read += plain ? plain : 1;
  }
  return at;
}

#endif
