# Programs that try everything, inside each kind of walls that the machine permits: as root, and, if
# root runs the tests, as an ordinary user as well.

WALLS := grader/tests/walls
$(B)/obj/$(WALLS)/%.o: OBJ_CFLAGS = $(CHECK_FLAGS)

$(B)/test/attempts: $(B)/obj/$(WALLS)/attempts.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ -ldl

$(B)/test/hold: $(B)/obj/$(WALLS)/hold.o $(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) -ldl -lm

TEST_PRODUCTS += $(B)/test/attempts $(B)/test/hold
TEST_PARTS += test-walls
.PHONY: test-walls
test-walls: check $(B)/test/attempts $(B)/test/hold ## test that the walls stop what is tried
	@$(WALLS)/walls.sh $(B) $(CUDA_LIB)/libcublasLt.so.$(CUDART_SONAME_MAJOR)
	@$(WALLS)/starved.sh $(B)
