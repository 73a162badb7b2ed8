// With the C++ library inside the program there is nothing behind our new,
// delete and guards.
//+ -static-libstdc++
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

struct alignas (64) wide {
  char bytes[64];
};

static const std::string &
name ()
{
  static std::string text (50, 'n');
  return text;
}

int
main ()
{
  std::vector<std::thread> threads;
  std::vector<std::size_t> sizes (3);
  for (int i = 0; i < 3; i++)
    threads.emplace_back ([&sizes, i] { sizes[i] = name ().size (); });
  for (auto &t : threads)
    t.join ();
  wide *w = new wide[2];
  std::printf ("%zu %zu\n", sizes[0] + sizes[1] + sizes[2],
               reinterpret_cast<std::size_t> (w) % 64);
  delete[] w;
}
