/* A shared_ptr handed over without a lock: the reference count is atomic, the
   pointer itself races. Threads end in libstdc++, which is not woven and
   releases its own shared_ptr; no write may be invented for that.
   omen: race (slot) */
#include <memory>
#include <thread>

static std::shared_ptr<int> slot;

int
main ()
{
  std::thread producer ([] { slot = std::make_shared<int> (42); });
  std::thread consumer ([] {
    std::shared_ptr<int> mine = slot;
    if (mine && *mine != 42)
      __builtin_trap ();
  });
  producer.join ();
  consumer.join ();
}
