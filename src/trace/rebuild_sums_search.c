#include "trace/rebuild_sums.h"

#include <stdlib.h>

/* Choices for half of the loads at once. */
enum { MOST_CHOICES = 1 << 13 };

uint64_t
omen_sum_missing (const omen_sum *sum)
{
  uint64_t missing = sum->sum;
  for (unsigned i = 0; i < sum->count; i++)
    missing -= sum->loads[i].weight * sum->loads[i].value;
  return missing;
}

/* Of an odd number, modulo 2^64: each round doubles the right bits. */
static uint64_t
inverse (uint64_t odd)
{
  uint64_t x = odd;
  for (unsigned bits = 3; bits < 64; bits *= 2)
    x *= 2 - odd * x;
  return x;
}

static bool
has_size (uint64_t value, unsigned size)
{
  return size == 8 || !(value >> 8 * size);
}

bool
omen_sum_solve (const omen_sum *sum, unsigned i, uint64_t *value)
{
  const omen_sum_load *load = &sum->loads[i];
  uint64_t rest = omen_sum_missing (sum) + load->weight * load->value;
  unsigned zeros = (unsigned)__builtin_ctzll (load->weight);
  uint64_t known = ~omen_image_bits (load->unknown);
  *value = (rest >> zeros) * inverse (load->weight >> zeros);
  if (zeros)
    *value &= (UINT64_C (1) << (64 - zeros)) - 1;
  return load->weight * *value == rest && has_size (*value, load->size)
         && !((*value ^ load->value) & known
              & (load->size == 8 ? UINT64_MAX
                                 : (UINT64_C (1) << 8 * load->size) - 1));
}

/* A choice: what it adds to the sum, and which it is. */
typedef struct choice {
  uint64_t adds;
  uint32_t which; /* digits: other + 1 of each load, 0: value */
} choice;

static int
compare_choices (const void *left, const void *right)
{
  const choice *a = left, *b = right;
  return a->adds < b->adds ? -1 : a->adds > b->adds;
}

static const choice *
find_choice (const choice *choices, size_t count, uint64_t adds)
{
  choice key = { adds, 0 };
  return bsearch (&key, choices, count, sizeof key, compare_choices);
}

/* ---- one or two that differ ---- */

static size_t
list_changes (const omen_sum *sum, choice *list)
{
  size_t count = 0;
  for (unsigned i = 0; i < sum->count; i++) {
    const omen_sum_load *load = &sum->loads[i];
    for (unsigned k = 0; k < load->count; k++)
      list[count++]
          = (choice){ load->weight * (load->others[k] - load->value),
                      i * OMEN_SUM_OTHERS + k };
  }
  return count;
}

static void
take_other (omen_sum *sum, uint32_t which)
{
  omen_sum_load *load = &sum->loads[which / OMEN_SUM_OTHERS];
  load->value = load->others[which % OMEN_SUM_OTHERS];
}

static bool
change_one_or_two (omen_sum *sum)
{
  choice list[OMEN_SUM_LOADS * OMEN_SUM_OTHERS];
  size_t count = list_changes (sum, list);
  uint64_t missing = omen_sum_missing (sum);
  const choice *one;
  if (!count)
    return false;
  qsort (list, count, sizeof *list, compare_choices);
  if ((one = find_choice (list, count, missing))) {
    take_other (sum, one->which);
    return true;
  }
  for (size_t i = 0; i < count; i++) {
    one = find_choice (list, count, missing - list[i].adds);
    if (!one
        || one->which / OMEN_SUM_OTHERS == list[i].which / OMEN_SUM_OTHERS)
      continue;
    take_other (sum, one->which);
    take_other (sum, list[i].which);
    return true;
  }
  return false;
}

/* ---- any number ---- */

static unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* All choices for loads [first, end), with as many others as there is room
   for. */
static size_t
list_choices (const omen_sum *sum, unsigned first, unsigned end, choice *list,
              unsigned *base)
{
  size_t count = 1, product = 1;
  unsigned most = 1;
  for (;; most++) {
    product = 1;
    for (unsigned i = first; i < end && product <= MOST_CHOICES; i++)
      product *= 1 + least (sum->loads[i].count, most + 1);
    if (product > MOST_CHOICES || most == OMEN_SUM_OTHERS)
      break;
  }
  *base = most + 1;
  list[0] = (choice){ 0, 0 };
  for (unsigned i = first; i < end; i++) {
    const omen_sum_load *load = &sum->loads[i];
    size_t before = count;
    for (size_t c = 0; c < before; c++)
      list[c].which *= *base;
    for (unsigned k = 0; k < least (load->count, most); k++)
      for (size_t c = 0; c < before && count < MOST_CHOICES; c++)
        list[count++] = (choice){
          list[c].adds + load->weight * (load->others[k] - load->value),
          list[c].which + k + 1
        };
  }
  return count;
}

static void
take_choice (omen_sum *sum, unsigned first, unsigned end, uint32_t which,
             unsigned base)
{
  for (unsigned i = end; i-- > first; which /= base)
    if (which % base)
      sum->loads[i].value = sum->loads[i].others[which % base - 1];
}

static bool
change_any (omen_sum *sum)
{
  choice *low = omen_alloc (2 * MOST_CHOICES * sizeof *low);
  choice *high = low + MOST_CHOICES;
  const choice *fits = NULL;
  unsigned half = sum->count / 2, low_base, high_base;
  size_t lows = list_choices (sum, 0, half, low, &low_base);
  size_t highs = list_choices (sum, half, sum->count, high, &high_base);
  uint64_t missing = omen_sum_missing (sum);
  qsort (low, lows, sizeof *low, compare_choices);
  for (size_t i = 0; i < highs && !fits; i++) {
    fits = find_choice (low, lows, missing - high[i].adds);
    if (fits) {
      take_choice (sum, 0, half, fits->which, low_base);
      take_choice (sum, half, sum->count, high[i].which, high_base);
    }
  }
  omen_free (low);
  return fits;
}

bool
omen_sum_search (omen_sum *sum)
{
  OMEN_REQUIRE (sum->count <= OMEN_SUM_LOADS && !sum->unknown);
  return !omen_sum_missing (sum) || change_one_or_two (sum)
         || change_any (sum);
}
