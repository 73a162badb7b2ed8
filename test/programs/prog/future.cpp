/* a result through std::async
   omen: none */
#include <future>

int
main ()
{
  int value = 0;
  auto result = std::async (std::launch::async, [&value] {
    value = 7;
    return value;
  });
  return result.get () == 7 && value == 7 ? 0 : 1;
}
