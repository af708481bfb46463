#error "only the modules runtime, engine, sparse_device, api, host and tuner may include an OpenCL header"
