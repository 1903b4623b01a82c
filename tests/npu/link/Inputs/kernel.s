.global kernel, count
kernel:
  ret lr
  nop
  nop
  nop
  nop
  nop
.data
count: .word 3
