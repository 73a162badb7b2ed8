# meson does the work; this file names the things people do.
# MODE=release|debug|asan|hard chooses the build below build/.
MODE ?= release
PREFIX ?= /usr/local
BUILD = build/$(MODE)

release_FLAGS = --buildtype=release
debug_FLAGS = --buildtype=debug --werror
asan_FLAGS = --buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false --werror
hard_FLAGS = --buildtype=debugoptimized --werror

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@meson setup $(BUILD) -Dmode=$(MODE) $($(MODE)_FLAGS) >/dev/null

clean:
	rm -rf build

.PHONY: all clean
