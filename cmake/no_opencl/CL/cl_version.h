#error "only src/runtime, src/tune and src/api may include an OpenCL header"
