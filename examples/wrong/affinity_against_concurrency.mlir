// Wrong: token lists that contradict each other, through a third op.
//
// @load and @compute are to run at the same time (concurrency). @load shares its hardware with
// @store (affinity %left), and @store shares with @compute (affinity %right): all three have the
// same hardware, which one of them can hold at a time. Remedy: drop one of the three tokens.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
func.func @main() {
  air.launch () in () {
    %left = air.token.alloc : !air.token
    %right = air.token.alloc : !air.token
    %together = air.token.alloc : !air.token
    %0 = air.segment @load async affinity = [%left] concurrency = [%together] {
    }
    %1 = air.segment @store async [%0] affinity = [%left, %right] {
    }
    %2 = air.segment @compute async affinity = [%right] concurrency = [%together] {
    }
    air.wait_all [%1, %2]
  }
  return
}
