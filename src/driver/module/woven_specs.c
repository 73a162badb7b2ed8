#include "driver/module/woven_specs.h"
#include "driver/message.h"
#include "driver/module/plan_text.h"
#include "driver/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 16

static void
read_hashes (void *self, const void *bytes, size_t size)
{
  static const char mark[] = "omen-spec ";
  const size_t length = sizeof mark - 1;
  omen_woven_specs *woven = self;
  for (size_t i = 0; i + length + DIGITS <= size; i++) {
    const char *at = (const char *)bytes + i;
    char digits[DIGITS + 1] = "";
    if (memcmp (at, mark, length))
      continue;
    memcpy (digits, at + length, DIGITS);
    if (strspn (digits, "0123456789abcdef") == DIGITS)
      OMEN_VEC_PUSH (woven->hashes, (uint64_t)strtoull (digits, NULL, 16));
  }
}

void
omen_woven_specs_read (omen_woven_specs *woven, const char *program)
{
  *woven = (omen_woven_specs){ 0 };
  omen_program_section (program, ".omen_spec", read_hashes, woven);
}

void
omen_woven_specs_fini (omen_woven_specs *woven)
{
  OMEN_VEC_FINI (woven->hashes);
}

bool
omen_woven_specs_has (const omen_woven_specs *woven, uint64_t hash)
{
  for (size_t i = 0; i < woven->hashes.count; i++)
    if (woven->hashes.data[i] == hash)
      return true;
  return false;
}

static bool
is_listed (const omen_spec_list *list, uint64_t hash)
{
  for (size_t i = 0; i < list->files.count; i++)
    if (omen_spec_hash (list->files.data[i].spec) == hash)
      return true;
  return false;
}

void
omen_woven_specs_compare (const char *program, const omen_spec_list *list)
{
  omen_woven_specs woven;
  bool others = false;
  omen_woven_specs_read (&woven, program);
  for (size_t i = 0; i < woven.hashes.count; i++)
    others |= !is_listed (list, woven.hashes.data[i]);
  for (size_t i = 0; others && i < list->files.count; i++) {
    const omen_spec *spec = list->files.data[i].spec;
    if (!omen_woven_specs_has (&woven, omen_spec_hash (spec)))
      omen_warn ("%s was compiled with another version of %s, or with other "
                 "properties, and reports their events; compile it again",
                 program, spec->path);
  }
  omen_woven_specs_fini (&woven);
}
