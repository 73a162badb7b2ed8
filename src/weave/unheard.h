/* C++: the form of functions for when nobody listens. */
#ifndef OMEN_WEAVE_UNHEARD_H
#define OMEN_WEAVE_UNHEARD_H

#include <llvm/IR/PassManager.h>

namespace omen {
// Before anything is unrolled or woven: copies of functions, as the optimiser
// left them.
struct Unheard : llvm::PassInfoMixin<Unheard> {
  llvm::PreservedAnalyses run (llvm::Module &module,
                               llvm::ModuleAnalysisManager &analyses);
  static bool
  isRequired ()
  {
    return true;
  }
};
}

#endif
