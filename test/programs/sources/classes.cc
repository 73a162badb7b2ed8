/* Classes in namespaces, templates: the types of blocks; an object of main, which
   has the name that it has there, not that of the functions it is used by */
#include <thread>

namespace shop {
class account {
public:
  long balance = 0;
};
template <class T> struct box {
  T first, value;
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

static void
work (shop::till *till)
{
  till->sum++;
  account->balance++;
  box->value++;
  other->value++;
}

int
main ()
{
  account = new shop::account;
  box = new shop::box<int> ();
  other = new shop::box<float> ();
  shop::till till;
  std::thread a (work, &till), b (work, &till);
  a.join ();
  b.join ();
  return till.left ();
}
