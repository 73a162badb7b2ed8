// Unrolls innermost loops without calls before they are woven, by LLVM's own
// pass, so that one note covers several iterations (region.h).
//
// Not unrolled: loops that the optimiser has unrolled, or was told not to;
// functions not optimised for speed; loops that load from an invariant address,
// whose every value must stay known (doc/recording.md).
#include "weave/passes.h"
#include "wire/abi.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace {
// Limits of a note of several iterations, see abi.h and region.h.
enum {
  MOST_TURNS = 8,
  MOST_ACCESSES = OMEN_BLOCK_LOADS, // of all turns
  MOST_EXITS = 11,
  MOST_INSTRUCTIONS = 120
};

struct Content {
  unsigned loads = 0, stores = 0, instructions = 0, exits = 0;
};

bool
is_quiet_call (const llvm::CallBase &call)
{
  if (call.isInlineAsm () || !call.doesNotThrow ())
    return false;
  return call.doesNotAccessMemory () || call.isLifetimeStartOrEnd ()
         || llvm::isa<llvm::DbgInfoIntrinsic> (call);
}

// Counts the instruction. True: it prevents the loop from being one note.
bool
is_obstacle (const llvm::Instruction &i, const llvm::Loop &loop,
             llvm::ScalarEvolution &scalars, Content &content)
{
  content.instructions++;
  if (i.isAtomic ())
    return true;
  if (auto *call = llvm::dyn_cast<llvm::CallBase> (&i))
    return !is_quiet_call (*call);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst> (&i)) {
    content.loads++;
    auto *address = const_cast<llvm::Value *> (load->getPointerOperand ());
    return scalars.isLoopInvariant (scalars.getSCEV (address), &loop);
  }
  content.stores += llvm::isa<llvm::StoreInst> (i);
  return i.isTerminator ()
         && !llvm::isa<llvm::BranchInst, llvm::SwitchInst> (i);
}

bool
has_hint (const llvm::Loop &loop)
{
  static const char *const hints[]
      = { "llvm.loop.unroll.disable",         "llvm.loop.unroll.count",
          "llvm.loop.unroll.enable",          "llvm.loop.unroll.full",
          "llvm.loop.unroll.runtime.disable", "llvm.loop.disable_nonforced" };
  return std::any_of (std::begin (hints), std::end (hints),
                      [&] (const char *hint) {
                        return llvm::findOptionMDForLoop (&loop, hint);
                      });
}

// The number of iterations to unroll; 1: none.
unsigned
count_turns (const llvm::Loop &loop, llvm::ScalarEvolution &scalars)
{
  Content content;
  if (!loop.isInnermost () || !loop.getLoopLatch () || has_hint (loop))
    return 1;
  for (const llvm::BasicBlock *block : loop.blocks ()) {
    for (const llvm::Instruction &i : *block)
      if (i.getMetadata ("omen.whole")
          || is_obstacle (i, loop, scalars, content))
        return 1;
    content.exits += std::any_of (
        llvm::succ_begin (block), llvm::succ_end (block),
        [&] (const llvm::BasicBlock *to) { return !loop.contains (to); });
  }
  unsigned accesses = content.loads + content.stores, turns = MOST_TURNS;
  while (turns > 1
         && (turns * accesses > MOST_ACCESSES
             || turns * content.exits > MOST_EXITS
             || turns * content.instructions > MOST_INSTRUCTIONS))
    turns /= 2;
  return accesses ? turns : 1;
}

bool
choose (llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
{
  auto &loops = analyses.getResult<llvm::LoopAnalysis> (function);
  bool any = false;
  for (llvm::Loop *loop : loops.getLoopsInPreorder ()) {
    auto &scalars
        = analyses.getResult<llvm::ScalarEvolutionAnalysis> (function);
    unsigned turns = count_turns (*loop, scalars);
    if (turns == 1)
      continue;
    llvm::addStringMetadataToLoop (loop, "llvm.loop.unroll.count", turns);
    any = true;
  }
  return any;
}
}

llvm::PreservedAnalyses
omen::Unroll::run (llvm::Function &function,
                   llvm::FunctionAnalysisManager &analyses)
{
  if (!function.hasFnAttribute (llvm::Attribute::SanitizeThread)
      || function.hasOptNone () || function.hasOptSize ()
      || !choose (function, analyses))
    return llvm::PreservedAnalyses::all ();
  llvm::LoopUnrollOptions forced (2, /*OnlyWhenForced=*/true);
  return llvm::LoopUnrollPass (forced).run (function, analyses);
}
