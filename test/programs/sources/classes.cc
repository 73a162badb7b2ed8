/* Classes in namespaces, templates: the types of blocks; an object of main, which
   has the name that it has there, not that of the functions it is used by */
#include <memory>
#include <thread>
#include <vector>

namespace shop {
class account {
public:
  long balance = 0;
};
template <class T> struct box {
  T first, value;
};
struct item {
  int id, count;
};
struct lot {
  int a, total;
};
struct base {
  long first;
};
struct longer : base {
  long more;
};
class shelf {
public:
  base *kept;
  void
  take (base *one)
  {
    kept = one;
  }
};
class till {
public:
  long sum = 0;
  int
  left () const
  {
    return (int)(sum % 2);
  }
};
}

static shop::account *account;
static shop::box<int> *box;
static shop::box<float> *other;
static std::unique_ptr<shop::item> item;
static std::unique_ptr<shop::lot> lot;
static std::vector<shop::lot> lots;
static shop::shelf shelf;

static void
work (shop::till *till)
{
  till->sum++;
  account->balance++;
  box->value++;
  other->value++;
  item->count++;
  lot->total++;
  lots[2].total++;
  shelf.kept->first++;
}

int
main ()
{
  account = new shop::account;
  box = new shop::box<int> ();
  other = new shop::box<float> ();
  item = std::make_unique<shop::item> ();
  lot = std::make_unique<shop::lot> ();
  lots.resize (4);
  shelf.take (new shop::longer ()); // no base, nor two of them
  shop::till till;
  std::thread a (work, &till), b (work, &till);
  a.join ();
  b.join ();
  return till.left ();
}
