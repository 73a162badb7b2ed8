/* C++: lists, in a section of the object file that is not loaded, the calls
   that allocate blocks, and the type of what the source takes them for: the
   variable or member that the result is stored in, the type of the function
   that returns it, the class whose constructor gets it, or the parameter of
   another method that gets it, as of a smart pointer's. Runs on code that is
   not optimised yet, where each call is in its own function. */
#include "weave/passes.h"
#include "wire/abi.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstdio>
#include <string>

namespace {
bool
allocates (llvm::StringRef name)
{
  static const char *const all[]
      = { "malloc",        "calloc",   "realloc", "reallocarray",
          "aligned_alloc", "memalign", "valloc" };
  for (const char *one : all)
    if (name == one)
      return true;
  return name.starts_with ("_Znwm") || name.starts_with ("_Znam");
}

const llvm::DIType *
pointed_to (const llvm::DIType *type)
{
  auto *pointer
      = llvm::dyn_cast_or_null<llvm::DIDerivedType> (omen::bare_type (type));
  return pointer && pointer->getTag () == llvm::dwarf::DW_TAG_pointer_type
             ? pointer->getBaseType ()
             : nullptr;
}

const llvm::DIType *type_of_place (const llvm::Value *place);

// A member of a struct, or an element of what a pointer points to.
const llvm::DIType *
type_inside (const llvm::GetElementPtrInst *step)
{
  llvm::Type *whole = step->getSourceElementType ();
  auto *module = const_cast<llvm::Module *> (step->getModule ());
  const llvm::DataLayout &layout = module->getDataLayout ();
  llvm::APInt offset (layout.getIndexTypeSizeInBits (step->getType ()), 0);
  if (auto *record = llvm::dyn_cast<llvm::StructType> (whole))
    return record->hasName () && step->accumulateConstantOffset (layout, offset)
               ? omen::member_type (*module, record->getName (),
                                    8 * layout.getTypeAllocSize (record),
                                    8 * offset.getZExtValue ())
               : nullptr;
  auto *load = llvm::dyn_cast<llvm::LoadInst> (step->getPointerOperand ());
  return load && whole->isPointerTy ()
             ? pointed_to (type_of_place (load->getPointerOperand ()))
             : nullptr;
}

const llvm::DIType *
type_of_place (const llvm::Value *place)
{
  auto *local = const_cast<llvm::Value *> (place);
  if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst> (place))
    return type_inside (step);
  if (auto *global = llvm::dyn_cast<llvm::GlobalVariable> (place)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> described;
    global->getDebugInfo (described);
    return described.empty () ? nullptr
                              : described[0]->getVariable ()->getType ();
  }
  if (!llvm::isa<llvm::AllocaInst> (place))
    return nullptr;
  llvm::SmallVector<llvm::DbgVariableIntrinsic *, 4> intrinsics;
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> records;
  llvm::findDbgUsers (intrinsics, local, &records);
  return !records.empty ()      ? records[0]->getVariable ()->getType ()
         : !intrinsics.empty () ? intrinsics[0]->getVariable ()->getType ()
                                : nullptr;
}

const llvm::DIType *
type_in_signature (const llvm::Function *function, unsigned index)
{
  const llvm::DISubprogram *described
      = function ? function->getSubprogram () : nullptr;
  if (!described || !described->getType ())
    return nullptr;
  llvm::DITypeRefArray types = described->getType ()->getTypeArray ();
  return index < types.size () ? types[index] : nullptr;
}

// The type of the parameter that a method has for it, or of `this`.
const llvm::DIType *
type_in_method (const llvm::CallBase &method, const llvm::Value *passed)
{
  const llvm::Function *callee = method.getCalledFunction ();
  const llvm::DIType *self = type_in_signature (callee, 1);
  if (!self || !self->isArtificial ())
    return nullptr;
  for (unsigned i = 0; i < method.arg_size (); i++)
    if (method.getArgOperand (i) == passed)
      return type_in_signature (callee, i + 1);
  return nullptr;
}

// What a use of the result says of its type: a pointer, or nothing.
const llvm::DIType *
type_by_use (const llvm::CallBase &call, const llvm::User *user)
{
  if (auto *store = llvm::dyn_cast<llvm::StoreInst> (user))
    return store->getValueOperand () == &call
               ? type_of_place (store->getPointerOperand ())
               : nullptr;
  if (llvm::isa<llvm::ReturnInst> (user))
    return type_in_signature (call.getFunction (), 0);
  auto *method = llvm::dyn_cast<llvm::CallBase> (user);
  return method ? type_in_method (*method, &call) : nullptr;
}

// As the debug information has it: `shop::box<int>`. Empty: it is in a
// function.
std::string
full_name (const llvm::DIType *type)
{
  std::string text = type->getName ().str ();
  for (const llvm::DIScope *scope = type->getScope (); scope;
       scope = scope->getScope ()) {
    if (!llvm::isa<llvm::DINamespace> (scope)
        && !llvm::isa<llvm::DIType> (scope))
      return llvm::isa<llvm::DIFile> (scope)
                     || llvm::isa<llvm::DICompileUnit> (scope)
                 ? text
                 : "";
    text = scope->getName ().str () + "::" + text;
  }
  return text;
}

// The struct, union or class, if all uses that say one say the same.
const llvm::DICompositeType *
type_of (const llvm::CallBase &call, std::string &name)
{
  const llvm::DICompositeType *found = nullptr;
  for (const llvm::User *user : call.users ()) {
    const llvm::DIType *type = pointed_to (type_by_use (call, user));
    const llvm::DICompositeType *record = omen::record_type (type);
    if (!record)
      continue;
    if (found && found != record)
      return nullptr;
    found = record;
    if (!record->getName ().empty ())
      name = full_name (record);
    else if (llvm::isa<llvm::DIDerivedType> (type))
      name = full_name (type); // the typedef's
  }
  return name.empty () ? nullptr : found;
}

// What new makes may be taken for its base class.
bool
has_size (const llvm::CallBase &call, uint64_t bytes)
{
  auto *size = llvm::dyn_cast<llvm::ConstantInt> (call.getArgOperand (0));
  return !size || !call.getCalledFunction ()->getName ().starts_with ("_Znwm")
         || size->getZExtValue () == bytes;
}

void
list_call (llvm::Module &module, const llvm::CallBase &call)
{
  const llvm::Function *callee = call.getCalledFunction ();
  const llvm::DILocation *at = call.getDebugLoc ();
  std::string name, text, line = ".asciz \"";
  char octal[8];
  if (!callee || !at || !allocates (callee->getName ()))
    return;
  const llvm::DICompositeType *type = type_of (call, name);
  if (!type || !has_size (call, type->getSizeInBits () / 8))
    return;
  const llvm::DISubprogram *in = at->getScope ()->getSubprogram ();
  llvm::StringRef file = at->getFilename (), own = in->getLinkageName ();
  text = (own.empty () ? in->getName () : own).str () + "\n"
         + file.substr (file.rfind ('/') + 1).str () + "\n"
         + std::to_string (at->getLine ()) + "\n"
         + std::to_string (at->getColumn ()) + "\n"
         + std::to_string (type->getSizeInBits () / 8) + "\n" + name;
  for (unsigned char c : text) {
    std::snprintf (octal, sizeof octal, "\\%03o", c);
    line += octal;
  }
  module.appendModuleInlineAsm (line + "\"");
}
}

llvm::PreservedAnalyses
omen::Allocated::run (llvm::Module &module, llvm::ModuleAnalysisManager &)
{
  module.appendModuleInlineAsm (".pushsection " OMEN_ALLOCATED_SECTION
                                ",\"\",@progbits");
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase> (&instruction))
          list_call (module, *call);
  module.appendModuleInlineAsm (".popsection");
  return llvm::PreservedAnalyses::all ();
}
