#error "only src/runtime and src/api may include an OpenCL header"
