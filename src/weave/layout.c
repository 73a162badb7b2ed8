#include "weave/layout.h"

/* Limits per note: queries about steps, since those of long notes take time;
   multiples of a step; bits of a small distance. */
enum { MOST_QUESTIONS = 400, MOST_TIMES = 15, MOST_NEAR = 12 /* bits */ };

static unsigned
site_field (LLVMValueRef site, unsigned i)
{
  return (unsigned)LLVMConstIntGetZExtValue (
      LLVMGetOperand (LLVMGetInitializer (site), i));
}

/* ---- bases ---- */

static bool
was_pointer (LLVMValueRef a)
{
  return LLVMIsAPtrToIntInst (a)
         || (LLVMIsAConstantExpr (a) && LLVMGetConstOpcode (a) == LLVMPtrToInt);
}

/* A number without constant addends, whose sum is *offset. */
static LLVMValueRef
strip_number (LLVMValueRef number, int64_t *offset)
{
  while (LLVMIsABinaryOperator (number)
         && LLVMGetInstructionOpcode (number) == LLVMAdd
         && LLVMIsAConstantInt (LLVMGetOperand (number, 1))) {
    *offset += LLVMConstIntGetSExtValue (LLVMGetOperand (number, 1));
    number = LLVMGetOperand (number, 0);
  }
  return number;
}

LLVMValueRef
omen_layout_root (omen_weave *w, LLVMValueRef note, int64_t *offset)
{
  LLVMValueRef a = LLVMGetArgOperand (note, 0), root;
  *offset = 0;
  root = was_pointer (a)
             ? omen_shim_strip (w->module, LLVMGetOperand (a, 0), offset)
             : strip_number (a, offset);
  if (*offset == (int32_t)*offset)
    return root;
  *offset = 0;
  return a;
}

static LLVMValueRef
base_value (omen_weave *w, const omen_note_layout *l, unsigned i)
{
  int64_t offset;
  return omen_layout_root (w, l->members[l->bases[i].first].call, &offset);
}

/* The depth of an inlined function, at its entry or exit, relative to the
   function that it is in; 0: not inlined, or unknown. */
static int64_t
find_level (omen_weave *w, const omen_note_layout_member *m)
{
  int64_t offset, own = 0;
  if ((m->kind != OMEN_SITE_ENTER && m->kind != OMEN_SITE_EXIT) || !w->depth)
    return 0;
  LLVMValueRef root = omen_layout_root (w, m->call, &offset);
  return root == strip_number (w->depth, &own) ? offset - own : 0;
}

/* a = base + offset. */
static void
find_base (omen_weave *w, omen_note_layout *l, omen_note_layout_member *m)
{
  int64_t offset, distance;
  LLVMValueRef root = omen_layout_root (w, m->call, &offset);
  for (unsigned i = 0; i < l->bases_count; i++) {
    distance = 0;
    if (base_value (w, l, i) != root
        && !omen_shim_distance (w->evolution, root, base_value (w, l, i),
                                &distance))
      continue;
    distance += offset;
    if (distance != (int32_t)distance)
      continue;
    m->base = (uint8_t)i;
    m->offset = (int32_t)distance;
    return;
  }
  m->base = (uint8_t)l->bases_count++;
  m->offset = (int32_t)offset;
  l->bases[m->base] = (omen_layout_base){ .first = (unsigned)(m - l->members),
                                          .can_step = true };
}

static bool
is_small_constant (LLVMValueRef value)
{
  return LLVMIsAConstantInt (value)
         && LLVMConstIntGetZExtValue (value) <= UINT32_MAX;
}

void
omen_layout_add (omen_weave *w, omen_note_layout *l, LLVMValueRef note)
{
  OMEN_ASSERT (!omen_layout_is_full (l));
  omen_note_layout_member *m = &l->members[l->count++];
  m->call = note;
  m->site = LLVMGetArgOperand (note, 2);
  m->kind = site_field (m->site, 0);
  m->size = site_field (m->site, 1);
  int64_t level = find_level (w, m);
  if (level > 0) {
    m->base = OMEN_LAYOUT_INNER;
    m->offset = (int32_t)level;
    return;
  }
  find_base (w, l, m);
  if (m->kind == OMEN_SITE_LOAD) {
    l->loads++;
    l->bits += 8 * m->size;
  } else if (is_small_constant (LLVMGetArgOperand (note, 1)))
    l->bases[m->base].can_step = false;
}

bool
omen_layout_is_full (const omen_note_layout *l)
{
  return l->count == OMEN_BLOCK_NOTES || l->loads == OMEN_BLOCK_LOADS;
}

/* ---- steps ---- */

/* How many steps, from base `from` to base `to`, lead from base `origin` to
   base i? 0: no such number. */
static unsigned
count_steps (omen_weave *w, omen_note_layout *l, unsigned i, unsigned origin,
             unsigned from, unsigned to)
{
  OMEN_ASSERT (l->bases[i].can_step);
  return omen_shim_times (w->evolution, base_value (w, l, i),
                          base_value (w, l, origin), base_value (w, l, to),
                          base_value (w, l, from), MOST_TIMES);
}

static bool
is_free (const omen_note_layout *l, unsigned i)
{
  return l->bases[i].can_step && !l->bases[i].times && !l->bases[i].bits;
}

/* Finds the bases after `origin` that are multiples of the step away from it;
   returns how many. */
static unsigned
find_steps (omen_weave *w, omen_note_layout *l, unsigned origin, unsigned step,
            unsigned *questions)
{
  const omen_layout_step *s = &l->steps[step];
  unsigned found = 0;
  for (unsigned i = origin + 1; i < l->bases_count && *questions; i++) {
    if (!is_free (l, i))
      continue;
    --*questions;
    unsigned times = count_steps (w, l, i, origin, s->from, s->to);
    if (!times)
      continue;
    l->bases[i].origin = (uint8_t)origin;
    l->bases[i].step = (uint8_t)step;
    l->bases[i].times = (uint8_t)times;
    found++;
  }
  return found;
}

/* A step gets a word if at least two bases use it. */
static void
try_steps (omen_weave *w, omen_note_layout *l, unsigned origin,
           unsigned *questions)
{
  for (unsigned i = origin + 1;
       i < l->bases_count && *questions && l->steps_count < OMEN_LAYOUT_STEPS;
       i++) {
    if (!is_free (l, i))
      continue;
    l->steps[l->steps_count]
        = (omen_layout_step){ .from = (uint8_t)origin, .to = (uint8_t)i };
    if (find_steps (w, l, origin, l->steps_count, questions) > 1)
      l->steps_count++;
    else
      for (unsigned k = origin + 1; k < l->bases_count; k++)
        if (l->bases[k].times && l->bases[k].step == l->steps_count)
          l->bases[k].times = 0;
  }
}

static void
find_all_steps (omen_weave *w, omen_note_layout *l)
{
  unsigned questions = MOST_QUESTIONS;
  for (unsigned i = 0; i < l->bases_count; i++) {
    if (l->bases[i].times)
      continue;
    for (unsigned s = 0; s < l->steps_count; s++)
      find_steps (w, l, i, s, &questions);
    try_steps (w, l, i, &questions);
  }
}

/* ---- what is near ---- */

static bool
is_origin (const omen_note_layout *l, unsigned base)
{
  for (unsigned i = 0; i < l->bases_count; i++)
    if ((l->bases[i].times || l->bases[i].bits) && l->bases[i].origin == base)
      return true;
  return false;
}

/* Do its members' offsets stay in range with `least` added? */
static bool
has_room_for (const omen_note_layout *l, unsigned base, int64_t least)
{
  for (unsigned i = 0; i < l->count; i++) {
    int64_t offset = l->members[i].offset + least;
    if (l->members[i].base == base && offset != (int32_t)offset)
      return false;
  }
  return least == (int32_t)least;
}

static bool
is_near (omen_weave *w, omen_note_layout *l, unsigned i, unsigned origin)
{
  int64_t least;
  unsigned bits = omen_shim_near (w->evolution, base_value (w, l, i),
                                  base_value (w, l, origin), &least);
  if (!bits || bits > MOST_NEAR || l->near_bits + bits > 64
      || !has_room_for (l, i, least))
    return false;
  l->bases[i].origin = (uint8_t)origin;
  l->bases[i].shift = (uint8_t)l->near_bits;
  l->bases[i].bits = (uint8_t)bits;
  l->bases[i].least = (int32_t)least;
  l->near_bits += bits;
  return true;
}

/* Near bases get a word of bits if there are at least two. */
static void
find_all_near (omen_weave *w, omen_note_layout *l)
{
  unsigned questions = MOST_QUESTIONS, found = 0;
  for (unsigned i = 1; i < l->bases_count; i++) {
    if (!is_free (l, i) || is_origin (l, i))
      continue;
    for (unsigned k = 0; k < i && questions; k++) {
      if (l->bases[k].times || l->bases[k].bits)
        continue;
      questions--;
      if (is_near (w, l, i, k)) {
        found++;
        break;
      }
    }
  }
  if (found > 1)
    return;
  l->near_bits = 0;
  for (unsigned i = 0; i < l->bases_count; i++) {
    l->bases[i].bits = 0;
    l->bases[i].least = 0;
  }
}

/* ---- words ---- */

static void
place_addresses (omen_note_layout *l)
{
  l->words = 1;
  for (unsigned i = 0; i < l->bases_count; i++)
    if (!l->bases[i].times && !l->bases[i].bits)
      l->bases[i].word = (uint8_t)l->words++;
  for (unsigned i = 0; i < l->steps_count; i++)
    l->steps[i].word = (uint8_t)l->words++;
  if (l->near_bits)
    l->near_word = l->words++;
  l->address_words = l->words - 1;
}

/* A conversion that bits.c adds to a value, one for each note. */
static bool
is_form_of_value (LLVMValueRef value)
{
  if (!LLVMIsAInstruction (value))
    return false;
  switch (LLVMGetInstructionOpcode (value)) {
  case LLVMZExt:
  case LLVMAnd:
  case LLVMTrunc:
  case LLVMLShr:
  case LLVMBitCast:
  case LLVMPtrToInt:
  case LLVMExtractElement:
    return true;
  default:
    return false;
  }
}

enum { MOST_FORMS = 4 /* of one another */ };

static bool
is_same_value (LLVMValueRef a, LLVMValueRef b, unsigned forms)
{
  if (a == b)
    return true;
  if (!forms || !is_form_of_value (a) || !is_form_of_value (b)
      || LLVMGetInstructionOpcode (a) != LLVMGetInstructionOpcode (b)
      || LLVMTypeOf (a) != LLVMTypeOf (b))
    return false;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands (a); i++)
    if (!is_same_value (LLVMGetOperand (a, i), LLVMGetOperand (b, i),
                        forms - 1))
      return false;
  return true;
}

/* Is its value the same as another member's, which has a word already? */
static bool
place_with_another (omen_note_layout *l, omen_note_layout_member *m)
{
  LLVMValueRef b = LLVMGetArgOperand (m->call, 1);
  for (unsigned i = 0; i < l->count; i++) {
    const omen_note_layout_member *other = &l->members[i];
    if (!other->word || other->kind == OMEN_SITE_LOAD || other->size != m->size
        || !is_same_value (LLVMGetArgOperand (other->call, 1), b, MOST_FORMS))
      continue;
    m->word = other->word;
    m->shift = other->shift;
    return true;
  }
  return false;
}

/* Assigns a word to a stored value: equal values share it, and so do small
   ones. */
static void
place_value (omen_note_layout *l, omen_note_layout_member *m)
{
  LLVMValueRef b = LLVMGetArgOperand (m->call, 1);
  if (is_small_constant (b)) {
    m->constant = (uint32_t)LLVMConstIntGetZExtValue (b);
    return;
  }
  if (place_with_another (l, m))
    return;
  if (m->kind != OMEN_SITE_STORE || m->size == 8) {
    m->word = (uint8_t)l->words++;
    return;
  }
  if (!l->shared_word || l->shared_bits + 8 * m->size > 64) {
    l->shared_word = l->words++;
    l->shared_bits = 0;
  }
  m->word = (uint8_t)l->shared_word;
  m->shift = (uint8_t)l->shared_bits;
  l->shared_bits += 8 * m->size;
}

/* A loaded value that is stored unchanged needs no word for the load. */
static void
place_copies (omen_note_layout *l)
{
  for (unsigned i = 0; i < l->count; i++) {
    omen_note_layout_member *m = &l->members[i];
    if (m->kind != OMEN_SITE_LOAD || !place_with_another (l, m))
      continue;
    l->loads--;
    l->bits -= 8 * m->size;
  }
}

/* The other loads share the last word. */
static void
place_loads (omen_note_layout *l)
{
  unsigned shift = 0, weight = 0;
  for (unsigned i = 0; i < l->count; i++) {
    omen_note_layout_member *m = &l->members[i];
    if (m->kind != OMEN_SITE_LOAD || m->word)
      continue;
    m->word = (uint8_t)l->words;
    if (l->bits > 64)
      m->weight = (uint8_t)++weight;
    m->shift = (uint8_t)(l->bits > 64 ? 0 : shift);
    shift += 8 * m->size;
  }
  l->words += l->loads > 0;
  OMEN_ASSERT (weight <= OMEN_BLOCK_LOADS);
}

void
omen_layout_place (omen_weave *w, omen_note_layout *l)
{
  OMEN_ASSERT (l->count && !l->words);
  if (l->count == 1) {
    l->words = sizeof (omen_note) / 8;
    return;
  }
  if (!l->bases_count)
    find_base (w, l, &l->members[0]); /* every note has at least one base */
  find_all_steps (w, l);
  find_all_near (w, l);
  place_addresses (l);
  for (unsigned i = 0; i < l->count; i++)
    if (l->members[i].kind != OMEN_SITE_LOAD)
      place_value (l, &l->members[i]);
  place_copies (l);
  place_loads (l);
  OMEN_ASSERT (l->words <= OMEN_BLOCK_WORDS);
}

/* ---- as data ---- */

static uint32_t
way_of (const omen_note_layout *l, const omen_layout_base *b)
{
  return b->bits ? OMEN_MEMBER_NEAR (l->near_word, b->shift, b->bits)
                 : OMEN_MEMBER_STEPS (l->steps[b->step].word, b->times);
}

static LLVMValueRef
describe_member (omen_weave *w, const omen_note_layout *l,
                 const omen_note_layout_member *m, LLVMValueRef block)
{
  static const omen_layout_base inner;
  const omen_layout_base *b
      = m->base == OMEN_LAYOUT_INNER ? &inner : &l->bases[m->base];
  bool has_way = b->times || b->bits;
  uint8_t base = has_way ? l->bases[b->origin].word : b->word;
  OMEN_ASSERT ((base || b == &inner) && (!has_way || m->word));
  LLVMValueRef fields[] = {
    omen_weave_distance (w, m->site, block),
    LLVMConstInt (w->i32, (uint64_t)(m->offset + b->least), true),
    omen_weave_int (w, has_way ? way_of (l, b) : m->constant),
    LLVMConstInt (w->i8, base, false),
    LLVMConstInt (w->i8, m->word, false),
    LLVMConstInt (w->i8, m->shift, false),
    LLVMConstInt (w->i8, m->weight, false),
  };
  return LLVMConstStructInContext (w->context, fields, OMEN_COUNT (fields),
                                   false);
}

static LLVMTypeRef
member_type (omen_weave *w)
{
  LLVMTypeRef fields[] = { w->i32, w->i32, w->i32, w->i8, w->i8, w->i8, w->i8 };
  return LLVMStructTypeInContext (w->context, fields, OMEN_COUNT (fields),
                                  false);
}

static LLVMValueRef
describe (omen_weave *w, const omen_note_layout *l)
{
  LLVMTypeRef each = member_type (w);
  LLVMTypeRef list = LLVMArrayType2 (each, l->count);
  LLVMTypeRef types[] = { w->i8, w->i8, w->i8, w->i8, w->i32, w->i32, list };
  LLVMTypeRef type
      = LLVMStructTypeInContext (w->context, types, OMEN_COUNT (types), false);
  LLVMValueRef block = LLVMAddGlobal (w->module, type, "omen.block");
  LLVMValueRef members[OMEN_BLOCK_NOTES];
  OMEN_ASSERT (LLVMABISizeOfType (w->layout, type)
               == sizeof (omen_code_block) + l->count * sizeof (omen_member));
  for (unsigned i = 0; i < l->count; i++)
    members[i] = describe_member (w, l, &l->members[i], block);
  LLVMValueRef fields[] = {
    LLVMConstInt (w->i8, OMEN_SITE_BLOCK, false),
    LLVMConstInt (w->i8, l->words, false),
    LLVMConstInt (w->i8, l->address_words, false),
    LLVMConstInt (w->i8, l->loads, false),
    omen_weave_int (w, l->count),
    omen_weave_int (w, 0),
    LLVMConstArray2 (each, members, l->count),
  };
  LLVMSetInitializer (block,
                      LLVMConstStructInContext (w->context, fields,
                                                OMEN_COUNT (fields), false));
  LLVMSetLinkage (block, LLVMPrivateLinkage);
  LLVMSetSection (block, "omen_blocks");
  LLVMSetAlignment (block, 4);
  return block;
}

LLVMValueRef
omen_layout_header (omen_weave *w, const omen_note_layout *l)
{
  OMEN_ASSERT (l->words);
  return l->count > 1 ? describe (w, l) : l->members[0].site;
}
