// Relations between addresses, by LLVM's scalar evolution.
#include <llvm-c/Core.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

struct omen_evolution {
  llvm::DominatorTree tree;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl library;
  llvm::TargetLibraryInfo functions;
  llvm::ScalarEvolution scalars;
  explicit omen_evolution (llvm::Function &function)
      : tree (function), loops (tree), assumptions (function),
        library (llvm::Triple (function.getParent ()->getTargetTriple ())),
        functions (library, &function),
        scalars (function, functions, assumptions, tree, loops)
  {
  }
};

extern "C" {
omen_evolution *omen_shim_evolution_new (LLVMValueRef function);
void omen_shim_evolution_free (omen_evolution *evolution);
bool omen_shim_distance (omen_evolution *evolution, LLVMValueRef a,
                         LLVMValueRef b, int64_t *distance);
unsigned omen_shim_times (omen_evolution *evolution, LLVMValueRef a,
                          LLVMValueRef b, LLVMValueRef c, LLVMValueRef d,
                          unsigned most);
unsigned omen_shim_near (omen_evolution *evolution, LLVMValueRef a,
                         LLVMValueRef b, int64_t *least);
bool omen_shim_stays (omen_evolution *evolution, LLVMValueRef pointer,
                      LLVMBasicBlockRef block);
}

omen_evolution *
omen_shim_evolution_new (LLVMValueRef function)
{
  return new omen_evolution (*llvm::unwrap<llvm::Function> (function));
}

void
omen_shim_evolution_free (omen_evolution *evolution)
{
  delete evolution;
}

// The difference of two pointers into the same object, or null.
static const llvm::SCEV *
difference (llvm::ScalarEvolution &scalars, LLVMValueRef left,
            LLVMValueRef right)
{
  llvm::Value *a = llvm::unwrap (left), *b = llvm::unwrap (right);
  if (!a->getType ()->isPointerTy () || !b->getType ()->isPointerTy ())
    return nullptr;
  const llvm::SCEV *from = scalars.getSCEV (b), *to = scalars.getSCEV (a);
  if (scalars.getPointerBase (from) != scalars.getPointerBase (to))
    return nullptr;
  const llvm::SCEV *distance = scalars.getMinusSCEV (to, from);
  return llvm::isa<llvm::SCEVCouldNotCompute> (distance) ? nullptr : distance;
}

bool
omen_shim_distance (omen_evolution *evolution, LLVMValueRef a, LLVMValueRef b,
                    int64_t *distance)
{
  const llvm::SCEV *between = difference (evolution->scalars, a, b);
  auto *constant = llvm::dyn_cast_or_null<llvm::SCEVConstant> (between);
  if (!constant)
    return false;
  *distance = constant->getAPInt ().getSExtValue ();
  return true;
}

unsigned
omen_shim_times (omen_evolution *evolution, LLVMValueRef a, LLVMValueRef b,
                 LLVMValueRef c, LLVMValueRef d, unsigned most)
{
  llvm::ScalarEvolution &scalars = evolution->scalars;
  const llvm::SCEV *way = difference (scalars, a, b);
  const llvm::SCEV *step = way ? difference (scalars, c, d) : nullptr;
  if (!step || llvm::isa<llvm::SCEVConstant> (step))
    return 0;
  const llvm::SCEV *sum = step;
  for (unsigned times = 1; times <= most; times++) {
    if (sum == way)
      return times;
    sum = scalars.getAddExpr (sum, step);
  }
  return 0;
}

unsigned
omen_shim_near (omen_evolution *evolution, LLVMValueRef a, LLVMValueRef b,
                int64_t *least)
{
  const llvm::SCEV *way = difference (evolution->scalars, a, b);
  if (!way)
    return 0;
  llvm::ConstantRange range = evolution->scalars.getSignedRange (way);
  if (range.isFullSet () || range.isEmptySet () || range.isSignWrappedSet ())
    return 0;
  *least = range.getSignedMin ().getSExtValue ();
  return (range.getSignedMax () - range.getSignedMin ()).getActiveBits ();
}

bool
omen_shim_stays (omen_evolution *evolution, LLVMValueRef pointer,
                 LLVMBasicBlockRef block)
{
  llvm::Value *value = llvm::unwrap (pointer);
  llvm::Loop *loop = evolution->loops.getLoopFor (llvm::unwrap (block));
  return loop && evolution->scalars.isSCEVable (value->getType ())
         && evolution->scalars.isLoopInvariant (
             evolution->scalars.getSCEV (value), loop);
}
