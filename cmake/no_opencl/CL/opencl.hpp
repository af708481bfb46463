#error "only the modules runtime, engine, sparse_device, api and tune may include an OpenCL header"
