/* Blocks that share a name: tracks which one the reader takes the bare name
   for. */
#include "trace/text_writer.h"

struct omen_text_blocks {
  omen_names texts;  /* the different names */
  uint32_t *text_of; /* by variable */
  uint32_t *number;  /* by variable: its number among the blocks of its name, or
                        OMEN_NONE if not mentioned yet */
  uint32_t *count;   /* by text: blocks mentioned */
};

static bool
some_name_shared (const omen_names *names)
{
  for (omen_vid v = 0; v < names->count; v++)
    if (omen_names_find (names, names->names[v].text, names->names[v].length)
        != v)
      return true;
  return false;
}

/* Needed because an alloc after another mention of its block would be read as a
   new block. */
static bool
some_block_allocated (const omen_trace *trace)
{
  for (size_t e = 0; e < trace->events.count; e++)
    if (trace->events.data[e].kind == OMEN_ALLOC)
      return true;
  return false;
}

omen_text_blocks *
omen_text_blocks_new (const omen_trace *trace)
{
  const omen_names *names = &trace->names[OMEN_OPERAND_VARIABLE];
  omen_text_blocks *blocks;
  if (!some_name_shared (names) && !some_block_allocated (trace))
    return NULL;
  blocks = omen_alloc (sizeof *blocks);
  omen_names_init (&blocks->texts);
  blocks->text_of = omen_alloc (names->count * sizeof (uint32_t));
  blocks->number = omen_alloc (names->count * sizeof (uint32_t));
  for (omen_vid v = 0; v < names->count; v++) {
    blocks->text_of[v] = omen_names_id (&blocks->texts, names->names[v].text,
                                        names->names[v].length);
    blocks->number[v] = OMEN_NONE;
  }
  blocks->count = omen_zalloc (blocks->texts.count, sizeof (uint32_t));
  return blocks;
}

void
omen_text_blocks_free (omen_text_blocks *blocks)
{
  if (!blocks)
    return;
  omen_names_fini (&blocks->texts);
  omen_free (blocks->text_of);
  omen_free (blocks->number);
  omen_free (blocks->count);
  omen_free (blocks);
}

uint32_t
omen_text_blocks_mention (omen_text_blocks *blocks, omen_vid v, bool fresh)
{
  uint32_t *count = &blocks->count[blocks->text_of[v]];
  uint32_t number = blocks->number[v];
  if (number == OMEN_NONE) { /* a block begins at its alloc or first mention */
    number = blocks->number[v] = (*count)++;
    return fresh || !number ? OMEN_NONE : number;
  }
  OMEN_ASSERT (number < *count);
  return !fresh && number == *count - 1 ? OMEN_NONE : number;
}
