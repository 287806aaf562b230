# `make install`: the simulated device for other people's projects, under PREFIX. Nothing installed
# names a folder: the tree under PREFIX may be moved, and the source tree too.
#
#     make install PREFIX=/opt/simgpu            make install PREFIX=/usr DESTDIR=package

SIMGPU_VERSION := 0.1.0
INSTALL := grader/simgpu/install
PREFIX ?= /usr/local
INSTALLED = $(DESTDIR)$(PREFIX)

# The options are those of --help; the rest is simgpu.1.in.
$(B)/install/simgpu.1: $(INSTALL)/simgpu.1.in $(INSTALL)/manual.awk $(B)/bin/simgpu
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(B)/bin/simgpu run --help | awk -v version=$(SIMGPU_VERSION) \
		-f $(INSTALL)/manual.awk - $(INSTALL)/simgpu.1.in >$@

$(B)/install/simgpu.pc: $(INSTALL)/simgpu.pc.in $(INSTALL)/build.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed 's/@VERSION@/$(SIMGPU_VERSION)/' $< >$@

.PHONY: install uninstall installable
installable: simgpu $(B)/install/simgpu.1 $(B)/install/simgpu.pc
install: installable
install: ## install the simulated device for other projects (PREFIX=/usr/local, DESTDIR=)
	$(if $(filter /%,$(PREFIX)),,$(error PREFIX has to begin with a slash: $(PREFIX)))
	@install -d $(addprefix '$(INSTALLED)'/,bin lib/simgpu lib/pkgconfig share/man/man1 \
		include/simgpu/machine share/doc/simgpu)
	@install -m 755 $(B)/bin/simgpu '$(INSTALLED)/bin'
	@install -m 755 $(B)/lib/sim/*.so* '$(INSTALLED)/lib/simgpu'
	@install -m 644 $(B)/install/simgpu.1 '$(INSTALLED)/share/man/man1'
	@install -m 644 $(B)/install/simgpu.pc '$(INSTALLED)/lib/pkgconfig'
	@install -m 644 grader/simgpu/simgpu.h '$(INSTALLED)/include/simgpu'
	@install -m 644 grader/simgpu/machine/access*.def '$(INSTALLED)/include/simgpu/machine'
	@install -m 644 $(INSTALL)/README.md $(INSTALL)/workflow.yml LICENSE \
		'$(INSTALLED)/share/doc/simgpu'
	@echo 'installed: $(PREFIX)/bin/simgpu run --test -- program'
	$(if $(filter $(abspath $(B))/%,$(CUDA_LIB)),@echo '  NVRTC and cuRAND need the toolkit \
	in $(CUDA_LIB): leave it there')

uninstall: ## remove what make install has put under PREFIX
	@rm -f '$(INSTALLED)/bin/simgpu' '$(INSTALLED)/share/man/man1/simgpu.1' \
		'$(INSTALLED)/lib/pkgconfig/simgpu.pc'
	@rm -rf '$(INSTALLED)/lib/simgpu' '$(INSTALLED)/include/simgpu' \
		'$(INSTALLED)/share/doc/simgpu'
