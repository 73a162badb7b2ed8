// Classes with bases, static members, namespaces.
#include <mutex>
#include <thread>

struct Counted {
  int users = 0;
};

struct Named {
  virtual ~Named () {}
  long id = 0;
};

namespace shop {
class Store : public Named, public Counted {
public:
  static int opened;
  int stock[3] = { 0, 0, 0 };
  void sell (int what) { stock[what]--; }
};
int Store::opened;
Store store;
namespace {
struct Till {
  double cash;
  int coins;
} till;
}
}

static std::mutex m;

static void
work (int n)
{
  std::lock_guard<std::mutex> lock (m);
  shop::store.users += n;
  shop::store.id = n;
  shop::store.sell (2);
  shop::Store::opened = n;
  shop::till.coins = 5;
}

int
main ()
{
  std::thread one (work, 1);
  one.join ();
  std::thread two (work, 2);
  two.join ();
  return shop::store.users != 3 || shop::till.coins != 5;
}
