#error \
    "only the modules runtime, engine, sparse_device, nufft_device, api, host and tuner may include an OpenCL header"
