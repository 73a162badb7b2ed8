/* Text of messages, and of places in the program. */
#include "base/plain.h"
#include "runtime/core/bytes.h"
#include "runtime/hooks/hook.h"
#include "runtime/monitor/monitor.h"

#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

OMEN_NEXT (int, vsnprintf, (char *, size_t, const char *, va_list));

#pragma GCC visibility push(default)

void
omen_message (const char *format, ...)
{
  char line[4096] = "omen: ";
  const size_t prefix = 6;
  int saved = errno;
  va_list args;
  va_start (args, format);
  omen_quiet_begin ();
  int length = OMEN_REAL (vsnprintf) (line + prefix, sizeof line - prefix - 1,
                                      format, args);
  omen_quiet_end ();
  va_end (args);
  size_t size = prefix + (length > 0 ? (size_t)length : 0);
  if (size > sizeof line - 2)
    size = sizeof line - 2;
  while (size > prefix && (line[size - 1] == ' ' || line[size - 1] == '\n'))
    size--;
  size = omen_plain_escape (line, prefix, size, sizeof line - 1);
  line[size++] = '\n';
  omen_call (SYS_write, STDERR_FILENO, (long)line, (long)size, 0, 0, 0);
  errno = saved;
}

#pragma GCC visibility pop

typedef struct search {
  uint64_t pc, offset;
  const char *name;
} search;

static int
visit_module (struct dl_phdr_info *info, size_t size, void *at)
{
  search *s = at;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW (Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && s->pc >= start
        && s->pc < start + part->p_memsz) {
      s->name = info->dlpi_name;
      s->offset = s->pc - info->dlpi_addr;
      return 1;
    }
  }
  return 0;
}

static size_t
append_text_at (char *to, size_t at, const char *text)
{
  size_t size = omen_bytes_length (text);
  if (size > OMEN_PLACE_ROOM - 32 - at)
    size = OMEN_PLACE_ROOM - 32 - at;
  omen_bytes_copy (to + at, text, size);
  to[at + size] = 0;
  return at + size;
}

static size_t
put_number (char *to, size_t at, uint64_t number, unsigned base)
{
  char digits[24];
  size_t count = 0;
  do
    digits[count++] = "0123456789abcdef"[number % base];
  while ((number /= base));
  while (count)
    to[at++] = digits[--count];
  to[at] = 0;
  return at;
}

/* The path of the module that has the address; "": the program itself. */
static const char *
path_of_module (const search *s, char room[OMEN_PLACE_ROOM])
{
  long length;
  if (s->name && *s->name)
    return s->name;
  length = omen_call (SYS_readlink, (long)"/proc/self/exe", (long)room,
                      OMEN_PLACE_ROOM - 1, 0, 0, 0);
  room[length > 0 ? length : 0] = 0;
  return room;
}

/* From the debug information, which omen reads; or "bank+0x11d4". */
static void
address_text (uint64_t pc, char text[OMEN_PLACE_ROOM])
{
  search s = { .pc = pc };
  char room[OMEN_PLACE_ROOM];
  const char *name;
  size_t at;
  _Static_assert ((int)OMEN_QUEUE_TEXT <= (int)OMEN_PLACE_ROOM,
                  "an answer is a place");
  dl_iterate_phdr (visit_module, &s);
  if (omen_symbol_queue_ask (pc, pc - s.offset, path_of_module (&s, room),
                             text))
    return;
  name = s.name && *s.name ? s.name : program_invocation_short_name;
  for (const char *p = name; *p; p++)
    if (*p == '/' && p[1])
      name = p + 1;
  at = append_text_at (text, 0, name);
  at = append_text_at (text, at, "+0x");
  put_number (text, at, s.offset, 16);
}

/* "bank.c:14", from the woven site or from the address. */
static void
site_text (const omen_site *site, char text[OMEN_PLACE_ROOM])
{
  size_t at = append_text_at (text, 0, omen_site_file (site));
  text[at++] = ':';
  put_number (text, at, site->line, 10);
}

void
omen_place_text (const omen_event_place *place, char text[OMEN_PLACE_ROOM])
{
  size_t size;
  if (place->site && *omen_site_file (place->site))
    site_text (place->site, text);
  else
    address_text (place->pc, text);
  size = omen_bytes_length (text);
  text[omen_plain_escape (text, 0, size, OMEN_PLACE_ROOM - 1)] = 0;
}
