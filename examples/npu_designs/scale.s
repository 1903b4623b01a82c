// void scale(const int *from, int *to, int count, int factor): to[i] = from[i] * factor. At least one.
// The calling convention of the public compilers: pointers in p0, p1, numbers in r0, r1.
.global scale
scale:
  lda r2, [p0], #4
  nop                       // seven cycles until the number is there
  nop
  nop
  nop
  add r0, r0, #-1
  jnz r0, #scale            // the next five bundles run in any case
  mul r2, r2, r1
  nop
  st r2, [p1], #4
  nop
  nop
  ret lr
  nop
  nop
  nop
  nop
  nop
