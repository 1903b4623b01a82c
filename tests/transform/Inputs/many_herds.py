"""Prints a program of 70 asynchronous herds that each write one buffer, in a row."""
print("func.func @f(%m: memref<8xf32, 1>) {\n  %c1 = arith.constant 1 : index\n  %t0 = air.wait_all async")
for i in range(70):
    print(f"""  %t{i + 1} = air.herd async [%t{i}] tile (%x, %y) in (%sx = %c1, %sy = %c1)
      args(%b = %m) : memref<8xf32, 1> {{
    air.dma_memcpy_nd (%b[] [] [], %b[] [] []) : (memref<8xf32, 1>, memref<8xf32, 1>)
  }}""")
print("  return\n}")
