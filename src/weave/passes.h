/* C++: further passes, which shim.cpp adds between the two of weave.h. */
#ifndef OMEN_WEAVE_PASSES_H
#define OMEN_WEAVE_PASSES_H

#include <llvm/IR/PassManager.h>

namespace omen {
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
