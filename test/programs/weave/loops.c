/* Loops and branches in every shape that notes of several accesses come in.
   What is reported by calls is reported in line, to the last line and value
   (compared by the suite); and what they compute is printed. */
#include "listen.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 24, MANY = 200 };

typedef struct node {
  uint64_t key;
  unsigned hits;
  struct node *left, *right, *next;
} node;

static double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
static node nodes[MANY], *root, *list;
static unsigned char text[MANY], other[MANY];
static short shorts[MANY];
static unsigned words[MANY], copies[MANY];
static uint64_t longs[MANY], total;
static float floats[MANY];
static volatile int flag;
static volatile uint64_t gates[3] = { 0, 5, 7 };
static int state, counts[8];

/* Strides that are not constant. */
__attribute__ ((noinline)) static void
multiply (int size, int step)
{
  for (int i = 0; i < size; i += step)
    for (int j = 0; j < size; j++) {
      double sum = 0;
      for (int k = 0; k < size; k++)
        sum += a[i * size + k] * b[k * size + j];
      c[i * size + j] = sum;
    }
}

__attribute__ ((noinline)) static uint64_t
columns (const uint64_t *at, long stride, int count)
{
  uint64_t sum = 0;
  for (int i = 0; i < count; i++, at += stride)
    sum = sum * 31 + at[0] + at[stride] + at[2 * stride] * at[3 * stride];
  return sum;
}

__attribute__ ((noinline)) static void
spread (uint64_t *to, long stride, uint64_t value)
{
  to[0] = value;
  to[stride] = value * 3;
  to[2 * stride] = 7;
  to[3 * stride] = value * 5;
  to[4 * stride] = value + to[stride];
  to[-stride] ^= value;
}

__attribute__ ((noinline)) static uint64_t
diagonal (unsigned n)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += longs[i * i % MANY] ^ longs[i] ^ longs[MANY - 1 - i];
  return sum;
}

/* Loops with several ways out. */
__attribute__ ((noinline)) static node **
place (uint64_t key)
{
  node **link = &root;
  while (*link && (*link)->key != key)
    link = key < (*link)->key ? &(*link)->left : &(*link)->right;
  return link;
}

__attribute__ ((noinline)) static const node *
find (const node *n, uint64_t key, unsigned least)
{
  while (n && n->key != key) {
    if (n->hits < least)
      return NULL;
    n = n->next;
  }
  return n;
}

__attribute__ ((noinline)) static unsigned
digest (const unsigned char *at)
{
  unsigned hash = 5381;
  while (*at)
    hash = hash * 33 ^ *at++;
  return hash;
}

__attribute__ ((noinline)) static int
compare (const unsigned char *x, const unsigned char *y, int most)
{
  for (int i = 0; i < most; i++) {
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
    if (!x[i])
      break;
  }
  return 0;
}

/* Places that do not move. */
__attribute__ ((noinline)) static int
poll (int most)
{
  int seen = 0;
  for (int i = 0; i < most; i++) {
    if (flag > 3)
      return seen;
    seen += flag;
    if (i % 3 == 2)
      flag = flag + 1;
  }
  return -seen;
}

__attribute__ ((noinline)) static uint64_t
wait_for (uint64_t most)
{
  uint64_t seen = 0;
  for (uint64_t i = 0; i < most; i++) {
    if (gates[0] > 30) // exact
      return seen;
    if (gates[1] < i)   // exact
      seen += gates[2]; // exact
    gates[i % 2] += i;  // exact
  }
  return seen;
}

__attribute__ ((noinline)) static void
count_up (int n)
{
  for (int i = 0; i < n; i++) {
    total += (uint64_t)i;
    if (total % 5 == 0)
      total++;
    else if (total % 7 == 0)
      total += longs[i];
  }
}

/* Branches. */
__attribute__ ((noinline)) static int
machine (const unsigned char *at, int n)
{
  for (int i = 0; i < n; i++)
    switch (at[i] % 6) {
    case 0:
      state++;
      break;
    case 1:
      counts[state % 8]++;
      /* fall through */
    case 2:
      state += at[(i + 1) % n];
      break;
    case 3:
      if (counts[3] > 2)
        return i;
      counts[3]++;
      break;
    case 4:
      continue;
    default:
      state ^= counts[i % 8];
    }
  return n;
}

__attribute__ ((noinline)) static unsigned
nested (int i, int j)
{
  unsigned sum = words[i];
  if (sum & 1) {
    words[j] = sum + 1;
    if (sum & 2)
      sum += words[j + 1] + shorts[i];
    else {
      shorts[j] = (short)sum;
      sum ^= shorts[j + 1];
      if (sum & 4)
        floats[i] += (float)sum;
    }
  } else if (floats[i] < 3) {
    floats[i] = floats[j] + 1;
    sum -= text[j];
  }
  return sum + words[i];
}

__attribute__ ((noinline)) static void
merge (int half, int count)
{
  int i = 0, j = half, k = 0;
  while (i < half && j < count)
    copies[k++] = words[i] <= words[j] ? words[i++] : words[j++];
  while (i < half)
    copies[k++] = words[i++];
  while (j < count)
    copies[k++] = words[j++];
}

/* Small values. */
__attribute__ ((noinline)) static void
spell (uint64_t seed, unsigned n)
{
  unsigned i = 0;
  for (; i < n; i++)
    text[i] = (unsigned char)('a' + (seed >> i % 40) % 26);
  text[i] = 0;
}

__attribute__ ((noinline)) static void
small (int i, unsigned value)
{
  text[i] = (unsigned char)value;
  shorts[i] = (short)(value * 7);
  words[i] = value * 31;
  text[i + 1] = (unsigned char)(value >> 3);
  other[i] = (unsigned char)value;
  floats[i] = (float)value / 4;
  longs[i] = (uint64_t)value << 35 | value;
  shorts[i + 1] = (short)(value >> 5);
}

static void
fill (void)
{
  for (int i = 0; i < SIZE * SIZE; i++) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  for (unsigned i = 0; i < MANY; i++) {
    longs[i] = i * 0x9e3779b97f4a7c15u;
    words[i] = i * 2654435761u >> 7;
    shorts[i] = (short)(i * 37);
  }
}

static void
plant (void)
{
  for (unsigned i = 0; i < MANY; i++) {
    node **link = place (i * 7919 % 251);
    if (!*link) {
      *link = &nodes[i];
      nodes[i].key = i * 7919 % 251;
      nodes[i].next = list;
      list = &nodes[i];
    }
    (*link)->hits++;
  }
}

int
main (void)
{
  uint64_t sum = 0;
  NAME (a), NAME (b), NAME (c), NAME (nodes), NAME (root), NAME (list);
  NAME (text), NAME (other), NAME (shorts), NAME (words), NAME (copies);
  NAME (longs), NAME (total), NAME (floats), NAME (flag), NAME (state);
  NAME (counts), NAME (gates);
  LISTEN (ACCESSES);
  fill ();
  multiply (SIZE, 5);
  multiply (7, 3);
  for (int i = 1; i < 9; i++) {
    sum += columns (longs, i, 13 - i);
    spread (longs + 20, i, sum);
  }
  sum += diagonal (90);
  plant ();
  for (unsigned i = 0; i < 260; i += 9)
    sum += *place (i) ? (*place (i))->hits : 1000;
  for (unsigned i = 0; i < 40; i++)
    sum += find (list, i * 11, i % 2) != NULL;
  for (unsigned i = 0; i < 12; i++) {
    spell (sum, 3 + i * 5);
    memcpy (other, text, sizeof text);
    other[i * 2] ^= 3;
    sum += digest (text) + (unsigned)compare (text, other, 50);
  }
  sum += (unsigned)poll (4) + (unsigned)poll (40);
  sum += wait_for (3) + wait_for (30);
  count_up (50);
  sum += (unsigned)machine (text, 40) + (unsigned)machine (other, 50);
  for (int i = 0; i < 60; i++)
    sum = sum * 3 + nested (i, (i * 7) % 90);
  merge (70, 150);
  for (int i = 0; i < 20; i++)
    small (i * 9, (unsigned)sum + (unsigned)i);
  LISTEN (NOTHING);
  for (int i = 0; i < MANY; i++)
    sum = sum * 5 + longs[i] + words[i] + copies[i] + text[i] + other[i]
          + (uint64_t)shorts[i] + (uint64_t)floats[i] + nodes[i].hits;
  for (int i = 0; i < SIZE * SIZE; i++)
    sum = sum * 5 + (uint64_t)c[i];
  printf ("%llu %llu %d\n", (unsigned long long)sum, (unsigned long long)total,
          state);
  return 0;
}
