# cuRAND's host library on the simulated device: its numbers are drawn by the toolkit's own.

$(eval $(call host_library,rand,curand,-DTOOLKIT_LIBRARY='"$$(CUDA_LIB)/$$(rand_SONAME)"',-ldl))
