#error "only the modules runtime, engine, sparse_device, nufft_device, cuda, api, host, capi and tuner may include an OpenCL header"
