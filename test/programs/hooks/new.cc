// The place of a block is that of new, not somewhere in the library.
//? alloc[.raw]*(malloc@.*new.cc:[0-9]*,123)
//? alloc[.raw]*(malloc@.*new.cc:[0-9]*,77)
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

struct alignas (64) wide {
  char bytes[64];
};

static void *volatile sink; // or the compiler would leave all this out

int
main ()
{
  char *a = new char[123];
  sink = a;
  auto b = std::unique_ptr<wide> (new wide);
  char *c = static_cast<char *> (::operator new (77, std::nothrow));
  std::printf ("%d\n", (int)(reinterpret_cast<std::size_t> (b.get ()) % 64));
  delete[] a;
  ::operator delete (c);
  try {
    volatile std::size_t huge = ~std::size_t (0) / 4;
    sink = new char[huge];
  } catch (const std::bad_alloc &) {
    std::puts ("too much");
  }
  std::string text (100, 'x');
  text += "y";
  std::printf ("%zu %c\n", text.size (), text.back ());
}
