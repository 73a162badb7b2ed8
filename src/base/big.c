#include "base/big.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 9
#define BASE 1000000000u /* 10 to the power of DIGITS */

/* Divide by BASE; returns the remainder. Works on half words, so that the
   dividend fits into a word. */
static uint32_t
divide_by_base (uint64_t *number, size_t words)
{
  uint64_t rest = 0;
  for (size_t i = words; i-- > 0;) {
    uint64_t high = rest << 32 | number[i] >> 32;
    uint64_t low = high % BASE << 32 | (uint32_t)number[i];
    number[i] = high / BASE << 32 | low / BASE;
    rest = low % BASE;
  }
  OMEN_ASSERT (rest < BASE);
  return (uint32_t)rest;
}

static bool
is_zero (const uint64_t *number, size_t words)
{
  for (size_t i = 0; i < words; i++)
    if (number[i])
      return false;
  return true;
}

/* A word has at most 20 digits. */
char *
omen_big_text (const uint64_t *number, size_t words)
{
  size_t room = 20 * words + DIGITS + 1, at = room - 1, zeros = 0;
  uint64_t *left = omen_alloc (words * sizeof *left + 1);
  char *text = omen_alloc (room);
  if (words)
    memcpy (left, number, words * sizeof *left);
  text[at] = 0;
  do {
    char part[DIGITS + 1];
    OMEN_ASSERT (at >= DIGITS);
    snprintf (part, sizeof part, "%09" PRIu32, divide_by_base (left, words));
    at -= DIGITS;
    memcpy (text + at, part, DIGITS);
  } while (!is_zero (left, words));
  while (text[at + zeros] == '0' && text[at + zeros + 1])
    zeros++;
  memmove (text, text + at + zeros, room - at - zeros);
  omen_free (left);
  return text;
}
