# SPDX-License-Identifier: Apache-2.0
# make          build build/cadenza
# make demo     install what is missing, build, run the main job on an example
# make test     install what is missing, build, run all tests
# make check-format  is the code formatted as .clang-format says?
# make attack   generated units against the claims made of them, 20,000 functions (hours); resumes.
#               FUNCTIONS=400 or FROM=7 TO=9 (seeds of units of 20), CADENZA=another build,
#               BUDGET='--iterations 300', ATTACK_SOURCE=name for one source (sources.def)
# make fuzz-parsers  libFuzzer on every reader of ours, a minute each (SECONDS=60)
# make bench    speed and memory, as ratios taken side by side
# make bench-real    whole projects from Debian's sources, 30 s per task (hours)
# make bench-limits  time and memory of a run beside what is promised (minutes)
# make bench-kills   a run is killed at 50 random moments and resumed (minutes)
# make bench-search  experiments on search strategies, as tables (half an hour)
# make install  PREFIX=/usr/local DESTDIR=
# make clean

PREFIX ?= /usr/local
DESTDIR ?=
B := build
# make V=1 shows the commands
Q := $(if $(V),,@)
SAY = $(if $(V),@:,@printf '  %-6s %s\n')

CC := clang-19
LLVM_CONFIG := llvm-config-19
CLANG_BC := clang-19

VERSION := 0.1.0
WARN := -Wall -Wextra -Werror
CPPFLAGS := -D_GNU_SOURCE -DCADENZA_VERSION='"$(VERSION)"' -Isrc -I. -Iinclude
CFLAGS ?= -O2 -g
CSTD := -std=gnu17
LLVM_INCLUDE := $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)
LLVM_LIBDIR := $(shell $(LLVM_CONFIG) --libdir 2>/dev/null)
LIBS = -L$(LLVM_LIBDIR) -Wl,-rpath,$(LLVM_LIBDIR) -lclang-19 -lLLVM-19 -lz3 -lcadical -lstdc++ -lsqlite3 -lm

SRC := $(sort $(wildcard src/*/*.c))
CLI := $(sort $(wildcard cli/*.c))
OBJ := $(SRC:%.c=$B/obj/%.o)
CLI_OBJ := $(CLI:%.c=$B/obj/%.o)

# The parts that are linked with the code under test; some with the engine's target, too.
BOTH_SRC := runtime/register_names.c runtime/register_memory.c
REPLAY_SRC := $(sort $(wildcard runtime/replay*.c) runtime/testfile_read.c runtime/own_signals.c \
               $(BOTH_SRC))
SHIMS := runtime/shim.c runtime/proof_shim.c
RUNTIME_SRC := $(filter-out $(SHIMS) $(filter-out runtime/own_signals.c $(BOTH_SRC),$(REPLAY_SRC)),$(sort $(wildcard runtime/*.c)))
MODEL_SRC := $(sort $(wildcard runtime/models/*.c))
RUNTIME_FLAGS := -O2 -g -fPIC -fno-omit-frame-pointer $(WARN) $(CSTD) -I. -Iinclude -Iruntime
# How code under test is compiled for the engine, libc models included.
FLAGS := src/flags/flags.def
ENGINE_BC := $(shell sed -n 's/^OURS."\([^"]*\)", .*MODELS.*/\1/p' $(FLAGS))

# Code for 32-bit machines is built for i386, with parts of its own, if the libraries are there.
NARROW_FLAGS := $(shell sed -n 's/^ILP32."\([^"]*\)".*/\1/p' $(FLAGS))
HAS_NARROW := $(findstring /,$(shell $(CC) -m32 -print-file-name=crt1.o 2>/dev/null))
N := $B/ilp32
NARROW_LIBRARY := $(if $(HAS_NARROW),$N/libczrt.a $N/libczreplay.a $N/libczmodels.a $N/shim.bc $N/proof_shim.bc)

# Stand-ins for headers of compilers for microcontrollers.
DEVICES := $(sort $(wildcard include/devices/*.h include/devices/*/*.h))

LIBRARY := $B/libczrt.a $B/libczreplay.a $B/libczmodels.a $B/shim.bc $B/proof_shim.bc $B/include/cz/driver.h $B/include/cz/cadenza.h $(DEVICES:include/%=$B/include/%) $(NARROW_LIBRARY)

# Bitcode of models stays for debugging.
.SECONDARY:
.PHONY: all demo test fuzz-parsers fuzz-tools attack attack-tools bench bench-real bench-limits bench-kills bench-search install clean setup setup-tests unit-test check-format
all: $B/cadenza $B/cadenza-jail $(LIBRARY)

setup:
	@sh scripts/setup.sh

setup-tests:
	@sh scripts/setup.sh tests

$B/obj/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(CSTD) $(WARN) $(CPPFLAGS) -I$(LLVM_INCLUDE) $(CFLAGS) -MMD -MP -c $< -o $@

$B/cadenza: $(OBJ) $(CLI_OBJ)
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $^ $(LIBS) -o $@

# The jail is static, so that it starts fast; its filters are made by libseccomp now.
JAIL_FLAGS := -O2 -g $(WARN) $(CSTD) -D_GNU_SOURCE -Ijail -I$B/jail

$B/jail/make-filter: jail/filter.c jail/jail.h
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(JAIL_FLAGS) $< -lseccomp -o $@

$B/jail/filter.inc: $B/jail/make-filter
	$(SAY) GEN $@
	$Q$< > $@.new && mv $@.new $@

$B/cadenza-jail: jail/jail_main.c jail/keeper.c jail/walls.c jail/jail.h jail/keeper.h jail/walls.h $B/jail/filter.inc
	$(SAY) CC $@
	$Q$(CC) $(JAIL_FLAGS) -static $(filter %.c,$^) -o $@

$B/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(RUNTIME_FLAGS) -MMD -MP -c $< -o $@

$B/libczrt.a: $(RUNTIME_SRC:%.c=$B/%.o)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

$B/libczreplay.a: $(REPLAY_SRC:%.c=$B/%.o)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

$N/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(NARROW_FLAGS) $(RUNTIME_FLAGS) -MMD -MP -c $< -o $@

$N/libczrt.a: $(RUNTIME_SRC:%.c=$N/%.o)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

$N/libczreplay.a: $(REPLAY_SRC:%.c=$N/%.o)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

# Shims are linked with the user's bitcode, and wchar_t may be short there (-fshort-wchar): they
# must not insist on its size.
SHIM_FLAGS := -I. -O1 -fPIE -emit-llvm -S
FINISH_SHIM = sed 's/!"wchar_size"/!"cz_wchar_size"/' $@.ll | llvm-as-19 -o $@ && rm $@.ll

$B/shim.bc: runtime/shim.c runtime/abi.h wire/wire.h wire/ops.def wire/faults.def wire/losses.def
	@mkdir -p $(@D)
	$(SAY) BC $@
	$Q$(CLANG_BC) $(CSTD) $(SHIM_FLAGS) $< -o $@.ll
	$Q$(FINISH_SHIM)

$B/proof_shim.bc: runtime/proof_shim.c
	@mkdir -p $(@D)
	$(SAY) BC $@
	$Q$(CLANG_BC) $(CSTD) $(SHIM_FLAGS) $< -o $@.ll
	$Q$(FINISH_SHIM)

$N/%.bc: runtime/%.c runtime/abi.h wire/wire.h wire/ops.def wire/faults.def wire/losses.def
	@mkdir -p $(@D)
	$(SAY) BC $@
	$Q$(CLANG_BC) $(NARROW_FLAGS) $(CSTD) $(SHIM_FLAGS) $< -o $@.ll
	$Q$(FINISH_SHIM)

$N/models/%.bc: runtime/models/%.c $(wildcard runtime/models/*.h) include/cz/driver.h
	@mkdir -p $(@D)
	$(SAY) BC $@
	$Q$(CLANG_BC) $(NARROW_FLAGS) $(CSTD) -I. -Iinclude -Iruntime $(ENGINE_BC) $< -o $@

$N/models/%.o: $N/models/%.bc $B/cadenza $N/shim.bc
	$(SAY) INSTR $@
	$Q$B/cadenza instrument --models --narrow $< $@

$N/libczmodels.a: $(MODEL_SRC:runtime/models/%.c=$N/models/%.o)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

$B/models/%.bc: runtime/models/%.c $(wildcard runtime/models/*.h) include/cz/driver.h
	@mkdir -p $(@D)
	$(SAY) BC $@
	$Q$(CLANG_BC) $(CSTD) -I. -Iinclude -Iruntime $(ENGINE_BC) $< -o $@

$B/models/%.o: $B/models/%.bc $B/cadenza $B/shim.bc
	$(SAY) INSTR $@
	$Q$B/cadenza instrument --models $< $@

$B/libczmodels.a: $(MODEL_SRC:runtime/models/%.c=$B/models/%.o)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

$B/include/%.h: include/%.h
	@mkdir -p $(@D)
	$(SAY) COPY $@
	$Qcp $< $@

demo: setup
	@$(MAKE) --no-print-directory all
	@sh scripts/demo.sh

test: setup-tests
	@$(MAKE) --no-print-directory all unit-test attack-tools fuzz-tools $B/report-store
	@sh tests/run.sh

check-format: setup
	@sh scripts/check-format.sh

bench: setup-tests
	@$(MAKE) --no-print-directory all $B/report-store
	@sh bench/run.sh

bench-real: setup
	@$(MAKE) --no-print-directory all
	@bash bench/real.sh

bench-kills: setup
	@$(MAKE) --no-print-directory all
	@sh bench/kills.sh

bench-limits: setup
	@$(MAKE) --no-print-directory all
	@sh bench/limits.sh

bench-search: setup
	@$(MAKE) --no-print-directory all $B/search-bench
	@sh bench/search/run.sh

# A large project's store, for the report.
$B/report-store: $B/obj/bench/report_store.o $(OBJ)
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $^ $(LIBS) -o $@

$B/search-bench: $B/obj/bench/search/search_bench.o $(OBJ)
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $^ $(LIBS) -o $@

# Unit tests run our own code under ASan and UBSan.
TEST_SRC := $(sort $(wildcard tests/unit/*.c tests/property/*.c tests/fault/test_*.c))
TEST_FLAGS := -O1 -g -DCZ_CHECK -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
TEST_OBJ := $(SRC:%.c=$B/asan/%.o) $(TEST_SRC:%.c=$B/asan/%.o) $B/asan/tests/groups.o

unit-test: $B/unit-tests $B/agreement-tests $B/cadenza-faults

# Cadenza with an allocator and solvers that fail when they are told to (tests/fault).
FAULTS := malloc calloc realloc ccadical_solve Z3_solver_check
$B/cadenza-faults: $(OBJ) $(CLI_OBJ) $B/obj/tests/fault/inject.o
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $(FAULTS:%=-Wl,--wrap=%) $^ $(LIBS) -o $@

$B/asan/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(CSTD) $(WARN) $(CPPFLAGS) -Iruntime -I$(LLVM_INCLUDE) $(TEST_FLAGS) -MMD -MP -c $< -o $@

# The table of test groups: one int test_<name>(void) per file.
$B/asan/tests/groups.c: $(TEST_SRC)
	@mkdir -p $(@D)
	@{ for f in $(filter-out %/main.c,$(TEST_SRC)); do n=$$(basename $$f .c); \
	     echo "int $$n(void);"; done; \
	   echo 'const struct { const char *name; int (*run)(void); } test_groups[] = {'; \
	   for f in $(filter-out %/main.c,$(TEST_SRC)); do n=$$(basename $$f .c); \
	     echo "    {\"$$n\", $$n},"; done; \
	   echo '    {0, 0}};'; } > $@

$B/asan/tests/groups.o: $B/asan/tests/groups.c
	$(SAY) CC $@
	$Q$(CC) -c $< -o $@

$B/unit-tests: $(TEST_OBJ) $B/libczrt.a
	$(SAY) CC $@
	$Q$(CC) $(TEST_FLAGS) $(TEST_OBJ) $(LIBS) -lcmocka -o $@

# Readers under libFuzzer: one program per reader. Readers are built with its counters, what they use
# is that of the unit tests.
F := $B/fuzz
SECONDS ?= 60
FUZZ_FLAGS := $(TEST_FLAGS) -fsanitize=fuzzer-no-link
FUZZERS := json smt2 input_path testfile replay_testfile preconditions justifications messages database
FUZZ_READS_json := src/base/json_parse src/base/json
FUZZ_READS_smt2 := src/expr/smt2_read
FUZZ_READS_input_path := src/program/input_path
FUZZ_READS_testfile := src/program/testfile src/program/place_values
FUZZ_READS_replay_testfile := runtime/testfile_read
FUZZ_READS_preconditions := src/pre/pre
FUZZ_READS_justifications := src/just/justifications
FUZZ_READS_messages := src/base/record src/jobs/messages src/jobs/campaign_record
FUZZ_READS_database := src/project/project src/project/entries src/project/translate src/project/machine src/flags/flags src/base/json_parse
FUZZ_OBJ := $(foreach f,$(FUZZERS),$F/tests/fuzz/fuzz_$f.o $(FUZZ_READS_$f:%=$F/%.o))

fuzz-tools: $(FUZZERS:%=$F/fuzz_%)

fuzz-parsers: setup
	@$(MAKE) --no-print-directory fuzz-tools
	@SECONDS=$(SECONDS) sh tests/fuzz/fuzz.sh $(FUZZERS)

$F/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(CSTD) $(WARN) $(CPPFLAGS) -Iruntime -I$(LLVM_INCLUDE) $(FUZZ_FLAGS) -MMD -MP -c $< -o $@

$F/libcadenza.a: $(SRC:%.c=$B/asan/%.o)
	@mkdir -p $(@D)
	@rm -f $@
	$(SAY) AR $@
	$Qar rcs $@ $^

define FUZZ_RULE
$F/fuzz_$(1): $F/tests/fuzz/fuzz_$(1).o $(FUZZ_READS_$(1):%=$F/%.o) $F/libcadenza.a
	$$(SAY) CC $$@
	$$Q$$(CC) $$(TEST_FLAGS) -fsanitize=fuzzer $$(filter-out %.a,$$^) $F/libcadenza.a -Wl,--as-needed $$(LIBS) -o $$@
endef
$(foreach f,$(FUZZERS),$(eval $(call FUZZ_RULE,$f)))

# The attack on claims: a generator, an attacker, and a runtime that is linked with generated
# units, in the four builds of tests/attack/builds.c.
A := $B/attack
ATTACK_BASE := $(filter $B/obj/src/base/%,$(OBJ))
ATTACK_GENERATE := $(patsubst %,$B/obj/tests/attack/%.o,text fn blocks sources sources_tables sources_objects \
                     sources_numbers sources_calls sources_alias sources_hidden sources_library unit generate)
ATTACK_ATTACKER := $(patsubst %,$B/obj/tests/attack/%.o,attacker refute confirm independent builds claims)
ATTACK_RUNTIME := $(sort $(wildcard tests/attack/rt/*.c))
ATTACK_FLAGS := -std=gnu17 $(WARN) -O1
ATTACK_OBJ := $(foreach v,gcc clang address memory,$(ATTACK_RUNTIME:tests/attack/rt/%.c=$A/rt/$v/%.o))

attack: setup
	@$(MAKE) --no-print-directory all attack-tools
	@sh tests/attack/attack.sh

attack-tools: $A/generate $A/attacker $(ATTACK_OBJ)

$B/obj/tests/attack/%.o: CPPFLAGS += -Itests/attack

$A/generate: $(ATTACK_GENERATE) $(ATTACK_BASE)
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $^ -o $@

$A/attacker: $(ATTACK_ATTACKER) $(ATTACK_BASE)
	@mkdir -p $(@D)
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $^ -lsqlite3 -o $@

$A/rt/gcc/%.o: ATTACK_CC := gcc
$A/rt/clang/%.o: ATTACK_CC := $(CC)
$A/rt/address/%.o: ATTACK_CC := gcc -fsanitize=address,undefined
$A/rt/memory/%.o: ATTACK_CC := $(CC) -fsanitize=memory

define ATTACK_RULE
$A/rt/$(1)/%.o: tests/attack/rt/%.c $(wildcard tests/attack/rt/*.h tests/attack/rt/*.def)
	@mkdir -p $$(@D)
	$$(SAY) CC $$@
	$$Q$$(ATTACK_CC) $$(ATTACK_FLAGS) -c $$< -o $$@
endef
$(foreach v,gcc clang address memory,$(eval $(call ATTACK_RULE,$v)))

# Agreement on tens of thousands of expressions: optimised, see its main.c.
AGREEMENT_OBJ := $(patsubst %.c,$B/obj/%.o,$(sort $(wildcard tests/property/agreement/*.c)))

$B/agreement-tests: $(AGREEMENT_OBJ) $(filter $B/obj/src/base/% $B/obj/src/expr/% $B/obj/src/solver/%,$(OBJ))
	$(SAY) CC $@
	$Q$(CC) $(CFLAGS) $^ -lz3 -lcadical -lstdc++ -lm -lcmocka -o $@

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/cadenza/include/cz $(DESTDIR)$(PREFIX)/share/man/man1 \
	           $(DESTDIR)$(PREFIX)/share/doc/cadenza $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $B/cadenza $(DESTDIR)$(PREFIX)/bin/cadenza
	install -m 755 $B/cadenza-jail $(DESTDIR)$(PREFIX)/lib/cadenza/
	install -m 644 $B/libczrt.a $B/libczreplay.a $B/libczmodels.a $B/shim.bc $B/proof_shim.bc $(DESTDIR)$(PREFIX)/lib/cadenza/
	$(if $(HAS_NARROW),install -d $(DESTDIR)$(PREFIX)/lib/cadenza/ilp32)
	$(if $(HAS_NARROW),install -m 644 $(NARROW_LIBRARY) $(DESTDIR)$(PREFIX)/lib/cadenza/ilp32/)
	install -m 644 include/cz/driver.h include/cz/cadenza.h $(DESTDIR)$(PREFIX)/lib/cadenza/include/cz/
	cd include && for f in $(DEVICES:include/%=%); do \
	    install -D -m 644 $$f $(DESTDIR)$(PREFIX)/lib/cadenza/include/$$f; done
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 completions/cadenza.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/cadenza
	install -m 644 LICENSE README.md $(DESTDIR)$(PREFIX)/share/doc/cadenza/

clean:
	rm -rf $B

-include $(FUZZ_OBJ:.o=.d) $(ATTACK_GENERATE:.o=.d) $(ATTACK_ATTACKER:.o=.d) $B/obj/bench/search/search_bench.d $B/obj/bench/report_store.d $(OBJ:.o=.d) $(AGREEMENT_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(RUNTIME_SRC:%.c=$B/%.d) $(REPLAY_SRC:%.c=$B/%.d) $(RUNTIME_SRC:%.c=$N/%.d) $(REPLAY_SRC:%.c=$N/%.d)
