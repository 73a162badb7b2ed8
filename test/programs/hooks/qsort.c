// The comparison is woven and must see what memory holds.
//: ext 0
#include <stdio.h>
#include <stdlib.h>

typedef struct item {
  int key;
  char rest[20];
} item;

static int numbers[100];
static item items[50];

static int
compare (const void *a, const void *b)
{
  const int *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static int
compare_with (const void *a, const void *b, void *sign)
{
  return *(int *)sign * compare (a, b);
}

int
main (void)
{
  int sign = -1, key = 37, right = 1;
  for (int i = 0; i < 100; i++)
    numbers[i] = i * 37 % 101;
  qsort (numbers, 100, sizeof *numbers, compare);
  for (int i = 1; i < 100; i++)
    right &= numbers[i - 1] <= numbers[i];
  for (int i = 0; i < 50; i++)
    items[i] = (item){ i % 7, { (char)i } };
  qsort_r (items, 50, sizeof *items, compare_with, &sign);
  for (int i = 1; i < 50; i++) /* stable, as glibc's */
    right &= items[i - 1].key > items[i].key
             || (items[i - 1].key == items[i].key
                 && items[i - 1].rest[0] < items[i].rest[0]);
  int *found = bsearch (&key, numbers, 100, sizeof *numbers, compare);
  printf ("%d %d\n", right, found ? *found : -1);
  return 0;
}
