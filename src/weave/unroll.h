/* C++: a pass of shim.cpp's. */
#ifndef OMEN_WEAVE_UNROLL_H
#define OMEN_WEAVE_UNROLL_H

#include <llvm/IR/PassManager.h>

namespace omen {
struct Unroll : llvm::PassInfoMixin<Unroll> {
  llvm::PreservedAnalyses run (llvm::Function &function,
                               llvm::FunctionAnalysisManager &analyses);
};
}

#endif
