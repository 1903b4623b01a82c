// The reference pages are what the definitions say. To renew them:
//   airlite-opt --dump-op-docs > docs/ir_reference.md; airlite-opt --dump-pass-docs > docs/passes.md
// RUN: airlite-opt --dump-op-docs | diff %S/../../docs/ir_reference.md -
// RUN: airlite-opt --dump-pass-docs | diff %S/../../docs/passes.md -
