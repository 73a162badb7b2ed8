#include <cstdio>
#include <string>

extern "C" void
report (int items, int threads, int sum)
{
  std::string line = std::to_string (items) + " items, ";
  line += std::to_string (threads) + " threads, sum " + std::to_string (sum);
  std::puts (line.c_str ());
}
