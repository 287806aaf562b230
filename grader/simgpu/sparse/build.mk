# cuSPARSE on the simulated device: what is asked of it is computed on the host.

$(eval $(call host_library,sparse,cusparse,-DDISABLE_CUSPARSE_DEPRECATED -Wno-unused-parameter,-lm))
