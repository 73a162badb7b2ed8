// Pointcuts on C++ by qualified name, `this`, exceptions, static and inlined
// functions, fields of globals, atomic updates, conditions, results.
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace shop {
struct Item {
  int n;
};

template <class T> struct List {
  std::vector<T> items;
  void
  add (const T &t)
  {
    if (t.n < 0)
      throw std::runtime_error ("negative");
    items.push_back (t);
  }
  static int
  count (int x)
  {
    return x;
  }
  int
  size () const
  {
    return (int)items.size ();
  }
};
}

namespace {
int
helper (int a)
{
  return a + 1;
}
}

static int balance = 5;
struct account {
  int id;
  long total;
  struct {
    short lo, hi;
  } part;
} account;
int table[4];

int
main ()
{
  shop::List<shop::Item> list;
  list.add ({ 1 });
  list.add ({ 2 });
  try {
    list.add ({ -1 });
  } catch (...) {
    std::puts ("caught");
  }
  balance = list.size () + helper (3);
  account.total += balance;
  account.part.hi = 3;
  for (int i = 0; i < 4; i++)
    table[i] = i;
  __atomic_fetch_add (&balance, 2, __ATOMIC_SEQ_CST);
  return shop::List<shop::Item>::count (balance) - 8;
}
