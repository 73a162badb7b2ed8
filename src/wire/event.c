#include "wire/event.h"

static const struct {
  const char *text;
  uint8_t operand, class;
} kinds[] = {
#define OMEN_EVENT(kind, text, operand, class)                                 \
  { text, OMEN_OPERAND_##operand, OMEN_CLASS_##class },
#include "wire/event.def"
};

static const char *const orders[] = { "sc", "rlx", "acq", "rel", "acqrel" };

const char *
omen_kind_text (omen_kind kind)
{
  OMEN_REQUIRE (kind < OMEN_KINDS);
  return kinds[kind].text;
}

omen_operand
omen_kind_operand (omen_kind kind)
{
  OMEN_REQUIRE (kind < OMEN_KINDS);
  return kinds[kind].operand;
}

omen_class
omen_kind_class (omen_kind kind)
{
  OMEN_REQUIRE (kind < OMEN_KINDS);
  return kinds[kind].class;
}

const char *
omen_order_text (omen_order order)
{
  OMEN_REQUIRE (order < OMEN_ORDERS);
  return orders[order];
}
