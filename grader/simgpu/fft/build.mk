# cuFFT on the simulated device: transforms are computed on the host.

$(eval $(call host_library,fft,cufft,-Wno-unused-parameter,-lm))
