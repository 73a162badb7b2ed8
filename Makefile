# meson does the work; this file names the things people do.
#
#   make                 build in build/release
#   make test            install what is missing, build release and asan, test both
#   make demo            install what is missing, build, show omen at work
#   make test-long       every mode and compiler, large campaigns, fuzzers
#   make install         into PREFIX (/usr/local), below DESTDIR if given
#   make dist            sources as a tarball, build/dist
#   make deb             packages of Debian, build/deb
#   make format          clang-format over the C sources (check-format: only
#                        look, part of the tests)
#   make lint            clang-tidy over src/, part of the tests
#
# MODE=release|debug|asan|hard|trap chooses the build below build/, CC the compiler.
MODE = release
PREFIX = /usr/local
BUILD = build/$(MODE)

release_FLAGS = --buildtype=release
debug_FLAGS = --buildtype=debug --werror
# Where in a line of code is all that a report says: whole debug information would
# take as long as the rest of the compiler.
asan_FLAGS = -Doptimization=1 -Dc_args=-g1 -Db_sanitize=address,undefined -Db_lundef=false -Db_staticpic=false --werror
hard_FLAGS = --buildtype=debugoptimized --werror
# As release, but undefined behaviour in the runtime is a trap.
trap_FLAGS = --buildtype=release
ifeq ($($(MODE)_FLAGS),)
  $(error MODE is '$(MODE)'; it can be release, debug, asan, hard or trap)
endif
# Weaver and runtime are compiled alike in every mode, so once for both builds of
# make test: build/asan takes them from build/release.
ifeq ($(BUILD),build/asan)
  asan_FLAGS += -Dguest=build/release
  GUEST = guest
endif
SETUP = CC=$(CC) meson setup $(BUILD) -Dmode=$(MODE) $($(MODE)_FLAGS) --libdir=lib $(OPTIONS)

# $(call quietly,COMMAND,NAME): its output goes to a log, shown if it fails.
quietly = { $(1) >$(BUILD)/$(2).log 2>&1 || { cat $(BUILD)/$(2).log >&2; exit 1; }; }

all: $(BUILD)/setup
	@$(call quietly,ninja --quiet -C $(BUILD),build)

# Holds the command that set the folder up; another command starts it afresh.
$(BUILD)/setup: setup-changed $(GUEST)
	@if [ "$$(cat $@ 2>/dev/null)" != "$(SETUP)" ]; then \
	  command -v meson >/dev/null \
	    || { echo "meson is missing; scripts/install-deps installs it" >&2; exit 1; }; \
	  rm -rf $(BUILD) && mkdir -p $(BUILD) && $(call quietly,$(SETUP),setup) \
	    && echo "$(SETUP)" >$@; \
	fi

guest:
	@$(MAKE) -s MODE=release BUILD=build/release guest-archives

guest-archives: $(BUILD)/setup
	@$(call quietly,ninja --quiet -C $(BUILD) guest,guest)

deps:
	@scripts/install-deps

test: deps
	@$(MAKE) -s MODE=release
	@$(MAKE) -s MODE=asan
	@test/run --build build/release --build build/asan

test-long: deps
	@scripts/test-long

demo: deps
	@$(MAKE) -s MODE=release
	@scripts/demo

# What was installed last with this MODE is what uninstall removes.
install: all
	@$(call quietly,meson configure $(BUILD) -Dprefix=$(abspath $(PREFIX)),configure)
	@$(call quietly,DESTDIR="$(DESTDIR)" meson install -C $(BUILD),install)

uninstall:
	@$(call quietly,ninja -C $(BUILD) uninstall,uninstall)

dist:
	@scripts/dist

deb:
	@scripts/install-deps deb
	@scripts/deb

format:
	@scripts/format

check-format:
	@scripts/format --check

lint: all
	@scripts/lint --build $(BUILD)

clean:
	rm -rf build

.PHONY: all setup-changed guest guest-archives deps test test-long demo \
  install uninstall dist deb format check-format lint clean
