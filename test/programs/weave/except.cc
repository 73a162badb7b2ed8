// Exceptions leave functions: each exit stands before the next event of a
// function further out, and after those of destructors on the way.
#include "listen.h"

#include <cstdio>
#include <stdexcept>

static int cell;

struct guard {
  int n;
  explicit guard (int m) : n (m) {}
  __attribute__ ((noinline)) ~guard ()
  {
    cell = n;
    WALL ();
    cell = 0;
  }
};

__attribute__ ((noinline)) static void
thrower (int n)
{
  if (n >= 0)
    throw std::runtime_error ("thrown");
  cell = -1;
}

__attribute__ ((noinline)) static void
passes (int n)
{
  thrower (n);
  cell = -2;
}

__attribute__ ((noinline)) static void
cleans (int n)
{
  guard g (n);
  passes (n);
}

__attribute__ ((noinline)) static int
catches (int n)
{
  try {
    cleans (n);
  } catch (const std::runtime_error &e) {
    cell = 10;
    return e.what ()[0];
  }
  return 0;
}

__attribute__ ((noinline)) static void
rethrows (int n)
{
  try {
    cleans (n);
  } catch (...) {
    cell = 20;
    throw;
  }
}

__attribute__ ((noinline)) static int
catches_again (int n)
{
  try {
    rethrows (n);
  } catch (const std::exception &) {
    cell = 30;
    WALL ();
    cell = 31;
  }
  return n;
}

/*LOG
enter catches(int)
enter cleans(int)
enter passes(int)
enter thrower(int)
exit thrower(int)
exit passes(int)
enter guard::~guard()
store4 cell 1
store4 cell 0
exit guard::~guard()
exit cleans(int)
store4 cell 10
exit catches(int)
enter catches_again(int)
enter rethrows(int)
enter cleans(int)
enter passes(int)
enter thrower(int)
exit thrower(int)
exit passes(int)
enter guard::~guard()
store4 cell 2
store4 cell 0
exit guard::~guard()
exit cleans(int)
store4 cell 20
exit rethrows(int)
store4 cell 30
store4 cell 31
exit catches_again(int)
*/
int
main ()
{
  int sum = 0;
  NAME (cell);
  LISTEN (ACCESSES | MARKERS);
  sum += catches (1);
  sum += catches_again (2);
  LISTEN (NOTHING);
  std::printf ("%d %d\n", sum, cell);
  return 0;
}
