/* Three varints a note: site, distance of a from the one before, b. */
#include "trace/notes_decode.h"
#include "base/defs.h"

void
omen_notes_open (omen_notes_reader *reader, const uint8_t *bytes, size_t size,
                 uint32_t count)
{
  OMEN_REQUIRE (bytes || !size);
  *reader = (omen_notes_reader){ .at = bytes, .end = bytes + size,
                                 .left = count };
}

static bool
take (omen_notes_reader *reader, uint64_t *number)
{
  *number = 0;
  for (unsigned shift = 0; shift < 64 && reader->at < reader->end;
       shift += 7) {
    uint64_t byte = *reader->at++;
    if (shift == 63 && byte > 1)
      return false;
    *number |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

bool
omen_notes_next (omen_notes_reader *reader, omen_raw_note *note)
{
  uint64_t site, distance;
  OMEN_ASSERT (reader->at <= reader->end);
  if (reader->failed)
    return false;
  if (!reader->left) {
    reader->failed = reader->at != reader->end;
    return false;
  }
  if (!take (reader, &site) || !site || site > UINT32_MAX
      || !take (reader, &distance) || !take (reader, &note->b)) {
    reader->failed = true;
    return false;
  }
  reader->left--;
  reader->a += distance >> 1 ^ -(distance & 1);
  note->site = (uint32_t)site;
  note->a = reader->a;
  return true;
}
