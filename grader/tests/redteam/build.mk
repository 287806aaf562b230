# Attacks on the grader, and honest oddities: redteam.sh. All of them by `make redteam`; a sample,
# drawn by the seed, in `make test`; on a GPU in `make gpu-test`.

REDTEAM := grader/tests/redteam
REDTEAM_SAMPLE ?= 3

$(B)/test/warden: $(B)/obj/$(REDTEAM)/warden.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@

.PHONY: redteam test-redteam
redteam: check $(B)/test/warden ## test that attacks fail, oddities pass (NAMES=, DEVICE=, SEED=)
	@DEVICE='$(or $(DEVICE),sim)' SEED='$(SEED)' LOGS='$(or $(LOGS),$(B)/redteam)' \
		$(REDTEAM)/redteam.sh $(B) $(NAMES)
	$(if $(NAMES)$(filter gpu,$(DEVICE)),,@$(REDTEAM)/aftermath.sh $(B))

.PHONY: redteam-aftermath
redteam-aftermath: check $(B)/test/warden
redteam-aftermath: ## test what an attack leaves for the next check, and for a class
	@$(REDTEAM)/aftermath.sh $(B)

TEST_PRODUCTS += $(B)/test/warden
TEST_CREWS += test-redteam
test-redteam: check $(B)/test/warden
	@SEED=$(TEST_SEED) SAMPLE=$(REDTEAM_SAMPLE) $(REDTEAM)/redteam.sh $(B)
