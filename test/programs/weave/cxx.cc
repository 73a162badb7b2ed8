// C++: members, templates, virtual calls, lambdas, std::atomic, static locals.
#include "listen.h"

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

static int cell;
static std::atomic<long> count { 0 };
static std::atomic<bool> flag { false };

template <typename T> struct box {
  T value;
  T get () const { return value; } //= load4 ints 4; load8 reals 4609434218613702656
  __attribute__ ((noinline)) void
  set (T v) //= enter box<int>::set(int); enter box<double>::set(double)
  {
    value = v; //= store4 ints 4; store8 reals 4609434218613702656
    WALL ();
    cell++; //= load4 cell 0; store4 cell 1; load4 cell 1; store4 cell 2
  } //= exit box<int>::set(int); exit box<double>::set(double)
};
static box<int> ints;
static box<double> reals;

struct shape {
  virtual ~shape () = default;
  virtual int area () const = 0;
};
struct square : shape {
  int side;
  explicit square (int n) : side (n) {}
  __attribute__ ((noinline)) int
  area () const override //= enter square::area() const
  {
    cell = side; //= store4 cell 3
    WALL ();
    return side * side; //= exit square::area() const
  }
};

__attribute__ ((noinline)) static long
atomics ()
{
  long old = count.fetch_add (2, std::memory_order_relaxed);
  flag.store (true, std::memory_order_release);
  long want = 2;
  count.compare_exchange_strong (want, 5);
  return old + count.load () + flag.exchange (false);
}

__attribute__ ((noinline)) static int
lambdas (int n)
{
  auto add = [n] (int m) { return n + m; };
  std::vector<int> all;
  for (int i = 0; i < 10; i++)
    all.push_back (add (i));
  int sum = 0;
  for (int x : all)
    sum += x;
  return sum;
}

__attribute__ ((noinline)) static std::string &
once ()
{
  static std::string text ("built once");
  return text;
}

int
main ()
{
  NAME (cell);
  NAME (ints);
  NAME (reals);
  LISTEN (ACCESSES | MARKERS);
  ints.set (4);
  reals.set (1.5);
  double got = ints.get ();
  WALL ();
  got += reals.get ();
  WALL ();
  LISTEN (NOTHING);
  std::unique_ptr<shape> s (new square (3));
  LISTEN (ACCESSES | MARKERS);
  int area = s->area ();
  LISTEN (NOTHING);
  long seen = atomics ();
  once () += "!";
  std::printf ("%g %d %ld %d %s %d\n", got, area, seen, lambdas (3),
               once ().c_str (), cell);
  return 0;
}
