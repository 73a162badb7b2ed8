// Loops that are logged as a whole (wire/abi.h defines which, and their note):
//
//     n = number of iterations;
//     if (__omen_loops && n * accesses >= OMEN_LOOP_LEAST) {
//       the loop as the optimiser left it;
//       __omen_loop (block, addresses …, steps …, n);
//     } else
//       the loop, whose accesses are noted one by one
//
// This pass makes the two versions; loop_note.c makes the block once it is
// known which accesses other threads may see. The accesses of the first version
// are marked nosanitize, so that they are not noted, and with the data that the
// block needs of them.
#include "weave/passes.h"
#include "wire/abi.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace {
// Words of a note besides addresses and steps: the block and the iterations.
enum { MOST_WORDS = 48, OTHER_WORDS = 2, MOST_BYTES = 64 /* of an access */ };

// Addresses that differ by constants and advance by the same step.
struct Base {
  const llvm::SCEV *start, *step;
  unsigned step_word; // 0: the step is a constant
};

struct Access {
  llvm::Instruction *instruction;
  unsigned base; // index
  int64_t offset;
};

struct Plan {
  llvm::SmallVector<Base, 8> bases;
  llvm::SmallVector<const llvm::SCEV *, 4> steps; // those that are words
  llvm::SmallVector<Access, 16> accesses;
  const llvm::SCEV *turns = nullptr; // 64 bits
  unsigned pieces = 0;               // notes of a turn
};

struct Function {
  llvm::Function &function;
  llvm::DominatorTree tree;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl library;
  llvm::TargetLibraryInfo functions;
  llvm::ScalarEvolution scalars;
  explicit Function (llvm::Function &f)
      : function (f), tree (f), loops (tree), assumptions (f),
        library (llvm::Triple (f.getParent ()->getTargetTriple ())),
        functions (library, &f),
        scalars (f, functions, assumptions, tree, loops)
  {
  }
  const llvm::DataLayout &
  layout () const
  {
    return function.getParent ()->getDataLayout ();
  }
};

// ---- which ----

bool
is_small (const llvm::SCEV *step)
{
  auto *constant = llvm::dyn_cast<llvm::SCEVConstant> (step);
  return constant && !constant->isZero ()
         && constant->getAPInt ().isSignedIntN (32);
}

// The offset of the address from that of a base; false: not a constant.
bool
is_near (llvm::ScalarEvolution &scalars, const llvm::SCEV *start,
         const Base &base, int64_t *offset)
{
  if (scalars.getPointerBase (start) != scalars.getPointerBase (base.start))
    return false;
  auto *distance = llvm::dyn_cast<llvm::SCEVConstant> (
      scalars.getMinusSCEV (start, base.start));
  if (!distance || !distance->getAPInt ().isSignedIntN (31))
    return false;
  *offset = distance->getAPInt ().getSExtValue ();
  return true;
}

// The index of a variable step among those of the plan, from 1.
unsigned
step_word (Plan &plan, const llvm::SCEV *step)
{
  for (unsigned i = 0; i < plan.steps.size (); i++)
    if (plan.steps[i] == step)
      return i + 1;
  plan.steps.push_back (step);
  return plan.steps.size ();
}

Access
place (llvm::ScalarEvolution &scalars, Plan &plan, llvm::Instruction &i,
       const llvm::SCEVAddRecExpr *address)
{
  const llvm::SCEV *start = address->getStart ();
  const llvm::SCEV *step = address->getStepRecurrence (scalars);
  int64_t offset = 0;
  for (unsigned b = 0; b < plan.bases.size (); b++)
    if (plan.bases[b].step == step
        && is_near (scalars, start, plan.bases[b], &offset))
      return { &i, b, offset };
  plan.bases.push_back (
      { start, step, is_small (step) ? 0 : step_word (plan, step) });
  return { &i, unsigned (plan.bases.size () - 1), 0 };
}

bool
is_awkward (llvm::Type *type, bool store)
{
  auto *vector = llvm::dyn_cast<llvm::VectorType> (type);
  llvm::Type *element = type->getScalarType ();
  return type->isAggregateType () || llvm::isa<llvm::ScalableVectorType> (type)
         || (store && element->isPointerTy ())
         || !(element->isIntegerTy () || element->isFloatingPointTy ()
              || element->isPointerTy ())
         || (vector && element->getPrimitiveSizeInBits () % 8
             && !element->isPointerTy ());
}

// The number of notes that an access of this size makes.
unsigned
count_pieces (uint64_t size)
{
  return size / 8 + (size & 4) / 4 + (size & 2) / 2 + (size & 1);
}

// Adds an access to the plan. False: the loop cannot be logged as a whole.
bool
add_access (Function &f, const llvm::Loop &loop, Plan &plan,
            llvm::Instruction &i)
{
  auto *load = llvm::dyn_cast<llvm::LoadInst> (&i);
  auto *store = llvm::dyn_cast<llvm::StoreInst> (&i);
  llvm::Value *address = llvm::getPointerOperand (&i);
  llvm::Type *type = llvm::getLoadStoreType (&i);
  if ((load ? !load->isSimple () : !store->isSimple ())
      || address->getType ()->getPointerAddressSpace ()
      || is_awkward (type, store))
    return false;
  if (i.getMetadata (llvm::LLVMContext::MD_nosanitize)
      || i.getMetadata (llvm::LLVMContext::MD_invariant_load))
    return true;
  uint64_t size = f.layout ().getTypeStoreSize (type);
  auto *steps
      = llvm::dyn_cast<llvm::SCEVAddRecExpr> (f.scalars.getSCEV (address));
  if (!steps || steps->getLoop () != &loop || !steps->isAffine ()
      || size > MOST_BYTES
      || !f.tree.dominates (i.getParent (), loop.getLoopLatch ()))
    return false;
  plan.accesses.push_back (place (f.scalars, plan, i, steps));
  plan.pieces += count_pieces (size);
  return true;
}

bool
is_quiet (const llvm::CallBase &call)
{
  return llvm::isa<llvm::DbgInfoIntrinsic, llvm::AssumeInst> (call)
         || (!call.isInlineAsm () && call.doesNotThrow ()
             && call.doesNotAccessMemory () && !call.isConvergent ());
}

bool
add_accesses (Function &f, const llvm::Loop &loop, Plan &plan)
{
  llvm::LoopBlocksRPO blocks (const_cast<llvm::Loop *> (&loop));
  blocks.perform (&f.loops);
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &i : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase> (&i);
      bool plain = llvm::isa<llvm::LoadInst, llvm::StoreInst> (i);
      if (plain ? !add_access (f, loop, plan, i)
                : (call ? !is_quiet (*call) : i.mayReadOrWriteMemory ()))
        return false;
    }
  return plan.pieces && plan.pieces <= OMEN_LOOP_MEMBERS
         && OTHER_WORDS + plan.bases.size () + plan.steps.size () <= MOST_WORDS;
}

// Is the number of iterations known before the loop, with a single exit at the
// latch?
bool
is_counted (Function &f, llvm::Loop &loop, Plan &plan)
{
  if (!loop.isInnermost () || !loop.getLoopLatch ()
      || loop.getExitingBlock () != loop.getLoopLatch ()
      || !loop.getExitBlock ()
      || !llvm::isa<llvm::BranchInst> (loop.getLoopLatch ()->getTerminator ()))
    return false;
  const llvm::SCEV *back = f.scalars.getBackedgeTakenCount (&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute> (back)
      || f.scalars.getTypeSizeInBits (back->getType ()) > 64)
    return false;
  llvm::Type *type = llvm::Type::getInt64Ty (f.function.getContext ());
  plan.turns = f.scalars.getAddExpr (f.scalars.getNoopOrZeroExtend (back, type),
                                     f.scalars.getOne (type));
  // loops known to be short are not worth it
  auto *constant = llvm::dyn_cast<llvm::SCEVConstant> (plan.turns);
  return !constant
         || constant->getAPInt ().uge (OMEN_LOOP_LEAST / OMEN_LOOP_MEMBERS + 1);
}

bool
can_compute (const Plan &plan, const llvm::SCEVExpander &expander,
             const llvm::Instruction *at)
{
  for (const Base &base : plan.bases)
    if (!expander.isSafeToExpandAt (base.start, at))
      return false;
  for (const llvm::SCEV *step : plan.steps)
    if (!expander.isSafeToExpandAt (step, at))
      return false;
  return expander.isSafeToExpandAt (plan.turns, at);
}

// ---- the two ----

// The words of the note, all known before the loop.
struct Note {
  llvm::SmallVector<llvm::Value *, 16> words;
  llvm::Value *enough; // log the loop as a whole?
};

Note
compute (Function &f, const Plan &plan, llvm::Instruction *at)
{
  llvm::SCEVExpander expander (f.scalars, f.layout (), "omen");
  llvm::Type *type = llvm::Type::getInt64Ty (f.function.getContext ());
  llvm::IRBuilder<> builder (at);
  llvm::Module &module = *f.function.getParent ();
  Note note;
  llvm::Value *turns = expander.expandCodeFor (plan.turns, type, at);
  for (const Base &base : plan.bases)
    note.words.push_back (
        expander.expandCodeFor (base.start, base.start->getType (), at));
  for (const llvm::SCEV *step : plan.steps)
    note.words.push_back (expander.expandCodeFor (step, type, at));
  note.words.push_back (turns);
  llvm::Value *flag = builder.CreateLoad (
      builder.getInt32Ty (),
      module.getOrInsertGlobal ("__omen_loops", builder.getInt32Ty ()));
  llvm::cast<llvm::Instruction> (flag)->setMetadata (
      llvm::LLVMContext::MD_nosanitize,
      llvm::MDNode::get (module.getContext (), {}));
  note.enough = builder.CreateAnd (
      builder.CreateIsNotNull (flag),
      builder.CreateICmpUGE (
          turns, builder.getInt64 ((OMEN_LOOP_LEAST + plan.pieces - 1)
                                   / plan.pieces)));
  return note;
}

llvm::Metadata *
number (llvm::LLVMContext &context, int64_t n)
{
  return llvm::ConstantAsMetadata::get (
      llvm::ConstantInt::getSigned (llvm::Type::getInt64Ty (context), n));
}

// Attaches {loop, index of the access, base, offset, word of the step, step}
void
mark (Function &f, const Plan &plan, llvm::MDNode *whole)
{
  llvm::LLVMContext &context = f.function.getContext ();
  for (unsigned k = 0; k < plan.accesses.size (); k++) {
    const Access &access = plan.accesses[k];
    const Base &base = plan.bases[access.base];
    auto *step = llvm::dyn_cast<llvm::SCEVConstant> (base.step);
    llvm::Metadata *parts[]
        = { whole,
            number (context, k),
            number (context, 1 + access.base),
            number (context, access.offset),
            number (context,
                    base.step_word ? plan.bases.size () + base.step_word : 0),
            number (context,
                    base.step_word ? 0 : step->getAPInt ().getSExtValue ()) };
    access.instruction->setMetadata (llvm::LLVMContext::MD_nosanitize,
                                     llvm::MDNode::get (context, {}));
    access.instruction->setMetadata ("omen.whole",
                                     llvm::MDNode::get (context, parts));
  }
}

void
call_note (Function &f, const Note &note, llvm::MDNode *whole,
           llvm::Instruction *at, llvm::DebugLoc place)
{
  llvm::IRBuilder<> builder (at);
  llvm::Module &module = *f.function.getParent ();
  auto *type = llvm::FunctionType::get (builder.getVoidTy (),
                                        { builder.getPtrTy () }, true);
  llvm::FunctionCallee callee
      = module.getOrInsertFunction ("__omen_loop", type);
  llvm::SmallVector<llvm::Value *, 16> arguments;
  arguments.push_back (llvm::ConstantPointerNull::get (builder.getPtrTy ()));
  arguments.append (note.words.begin (), note.words.end ());
  llvm::CallInst *call = builder.CreateCall (callee, arguments);
  call->setDebugLoc (place);
  call->setDoesNotThrow ();
  call->setMetadata ("omen.whole", whole);
}

// Adds the values of the copy to the phis after the loop.
void
join (llvm::BasicBlock *after, llvm::BasicBlock *from, llvm::BasicBlock *other,
      llvm::ValueToValueMapTy &values)
{
  for (llvm::PHINode &phi : after->phis ()) {
    llvm::Value *value = phi.getIncomingValueForBlock (from);
    llvm::Value *copy = values.lookup (value);
    phi.addIncoming (copy ? copy : value, other);
  }
}

// Inserts a block into an edge. (LLVM's SplitEdge would also move the phis.)
llvm::BasicBlock *
put_between (llvm::BasicBlock *from, llvm::BasicBlock *to)
{
  auto *block = llvm::BasicBlock::Create (from->getContext (), "",
                                          from->getParent (), to);
  llvm::BranchInst::Create (to, block);
  from->getTerminator ()->replaceSuccessorWith (to, block);
  to->replacePhiUsesWith (from, block);
  return block;
}

// Makes the two versions; returns the copy, whose accesses are noted singly.
llvm::Loop *
make_two (Function &f, llvm::Loop &loop, const Plan &plan)
{
  llvm::LLVMContext &context = f.function.getContext ();
  llvm::BasicBlock *check = loop.getLoopPreheader ();
  llvm::BasicBlock *after = loop.getExitBlock ();
  llvm::BasicBlock *latch = loop.getLoopLatch ();
  llvm::DebugLoc place = plan.accesses[0].instruction->getDebugLoc ();
  Note note = compute (f, plan, check->getTerminator ());
  llvm::BasicBlock *before
      = llvm::SplitBlock (check, check->getTerminator (), &f.tree, &f.loops);
  llvm::BasicBlock *noted = put_between (latch, after);
  llvm::ValueToValueMapTy values;
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
  llvm::Loop *copy = llvm::cloneLoopWithPreheader (
      before, check, &loop, values, ".noted", &f.loops, &f.tree, blocks);
  llvm::remapInstructionsInBlocks (blocks, values);
  auto *other = llvm::cast<llvm::BasicBlock> (values[latch]);
  other->getTerminator ()->replaceSuccessorWith (noted, after);
  join (after, noted, other, values);
  llvm::ReplaceInstWithInst (
      check->getTerminator (),
      llvm::BranchInst::Create (
          before, llvm::cast<llvm::BasicBlock> (values[before]), note.enough));
  auto *whole = llvm::MDNode::getDistinct (context, {});
  mark (f, plan, whole);
  call_note (f, note, whole, noted->getTerminator (), place);
  return copy;
}

// Transforms the first suitable loop not seen before; false: there is none.
bool
note_one (llvm::Function &function,
          llvm::SmallPtrSetImpl<llvm::BasicBlock *> &seen)
{
  Function f (function);
  for (llvm::Loop *loop : f.loops.getLoopsInPreorder ()) {
    Plan plan;
    if (!seen.insert (loop->getHeader ()).second || !is_counted (f, *loop, plan)
        || !add_accesses (f, *loop, plan))
      continue;
    llvm::simplifyLoop (loop, &f.tree, &f.loops, &f.scalars, &f.assumptions,
                        nullptr, false);
    llvm::formLCSSA (*loop, f.tree, &f.loops, &f.scalars);
    llvm::SCEVExpander expander (f.scalars, f.layout (), "omen");
    if (!loop->isLoopSimplifyForm ()
        || !can_compute (plan, expander,
                         loop->getLoopPreheader ()->getTerminator ()))
      continue;
    seen.insert (make_two (f, *loop, plan)->getHeader ());
    return true;
  }
  return false;
}
}

llvm::PreservedAnalyses
omen::Whole::run (llvm::Function &function, llvm::FunctionAnalysisManager &)
{
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
  bool any = false;
  if (!function.hasFnAttribute (llvm::Attribute::SanitizeThread)
      || function.hasOptNone () || function.hasOptSize ())
    return llvm::PreservedAnalyses::all ();
  while (note_one (function, seen))
    any = true;
  return any ? llvm::PreservedAnalyses::none ()
             : llvm::PreservedAnalyses::all ();
}
