# Cross compiler of Debian for 64-bit ARM; programs run under qemu's user mode.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
# The dependencies are headers only here, so the machine's own packages serve. Their descriptions lie under its architecture.
file(GLOB packages "/usr/lib/x86_64-linux-gnu/cmake/*")
list(APPEND CMAKE_PREFIX_PATH ${packages})
