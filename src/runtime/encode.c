/* The simplest code: a is stored as the distance from the one before. */
#include "runtime/encode.h"
#include "runtime/rt.h"
#include "trace/format.h"

void
omen_encoder_reset (omen_encoder *encoder)
{
  encoder->a = 0;
}

static uint64_t
zigzag (uint64_t n)
{
  return n << 1 ^ (uint64_t)((int64_t)n >> 63);
}

size_t
omen_encode (omen_encoder *encoder, const omen_note *notes, size_t count,
             uint8_t *out)
{
  uint8_t *p = out;
  for (size_t i = 0; i < count; i++) {
    uint32_t id = notes[i].site->id;
    p = omen_varint_put (p, id ? id : omen_site_id (notes[i].site));
    p = omen_varint_put (p, zigzag (notes[i].a - encoder->a));
    p = omen_varint_put (p, notes[i].b);
    encoder->a = notes[i].a;
  }
  return (size_t)(p - out);
}
