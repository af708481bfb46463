#error "only the modules runtime, engine, sparse_device, api, host and tune may include an OpenCL header"
