/* Classes in namespaces, templates: the types of blocks */
#include <thread>

namespace shop {
class account {
public:
  long balance = 0;
};
template <class T> struct box {
  T first, value;
};
}

static shop::account *account;
static shop::box<int> *box;
static shop::box<float> *other;

static void
work ()
{
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
  std::thread a (work), b (work);
  a.join ();
  b.join ();
}
