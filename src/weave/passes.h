/* C++: further passes, which shim.cpp adds between the two of weave.h. */
#ifndef OMEN_WEAVE_PASSES_H
#define OMEN_WEAVE_PASSES_H

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace llvm {
class DICompositeType;
class DIType;
}

namespace omen {
// Types of the debug information, or null (parts.cpp): without typedefs and
// qualifiers; the struct, class or union; and of a member of a struct, by the
// name that LLVM has for that.
const llvm::DIType *bare_type (const llvm::DIType *type);
const llvm::DICompositeType *record_type (const llvm::DIType *type);
const llvm::DIType *member_type (llvm::Module &module, llvm::StringRef name,
                                 uint64_t bits, uint64_t bit);

// A list of allocations and their types (allocated.cpp).
struct Allocated : llvm::PassInfoMixin<Allocated> {
  llvm::PreservedAnalyses run (llvm::Module &module,
                               llvm::ModuleAnalysisManager &analyses);
  static bool
  isRequired ()
  {
    return true;
  }
};

// Copies of functions as the optimiser left them (plain_copy.cpp); run before
// anything is unrolled or woven.
struct PlainCopies : llvm::PassInfoMixin<PlainCopies> {
  llvm::PreservedAnalyses run (llvm::Module &module,
                               llvm::ModuleAnalysisManager &analyses);
  static bool
  isRequired ()
  {
    return true;
  }
};

// Loops that are logged as a whole (loop.cpp); run before loops are unrolled.
struct Whole : llvm::PassInfoMixin<Whole> {
  llvm::PreservedAnalyses run (llvm::Function &function,
                               llvm::FunctionAnalysisManager &analyses);
};

struct Unroll : llvm::PassInfoMixin<Unroll> {
  llvm::PreservedAnalyses run (llvm::Function &function,
                               llvm::FunctionAnalysisManager &analyses);
};
}

#endif
