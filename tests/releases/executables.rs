//! Executables that run nowhere: a true header for their platform, and a line of text.

/// The smallest file with the header that executables of `platform`, such as `linux_amd64`, have. `label` makes it
/// differ from others. Platforms without a known header get the text alone.
#[must_use]
pub fn executable(platform: &str, label: &str) -> Vec<u8> {
    let (os, arch) = platform.split_once('_').unwrap_or((platform, ""));
    let mut bytes = match os {
        "windows" => pe(arch),
        "darwin" => macho(arch),
        "netbsd" => elf(arch, 2),
        "freebsd" => elf(arch, 9),
        "openbsd" => elf(arch, 12),
        "plan9" => Vec::new(),
        _ => elf(arch, 0),
    };
    bytes.extend_from_slice(format!("\n{label} for {platform}\n").as_bytes());
    bytes
}

/// An ELF header (System V ABI, chapter 4).
fn elf(arch: &str, abi: u8) -> Vec<u8> {
    let (machine, wide, big): (u16, bool, bool) = match arch {
        "386" => (3, false, false),
        "arm" => (40, false, false),
        "arm64" => (183, true, false),
        "s390x" => (22, true, true),
        "ppc64le" => (21, true, false),
        "riscv64" => (243, true, false),
        _ => (62, true, false),
    };
    let mut bytes = vec![0x7f, b'E', b'L', b'F', if wide { 2 } else { 1 }, if big { 2 } else { 1 }, 1, abi];
    bytes.resize(16, 0);
    for half in [2, machine, 1, 0] {
        bytes.extend(if big { half.to_be_bytes() } else { half.to_le_bytes() });
    }
    bytes.resize(if wide { 64 } else { 52 }, 0);
    bytes
}

/// A 64-bit Mach-O header (`mach-o/loader.h`).
fn macho(arch: &str) -> Vec<u8> {
    let cpu: u32 = if arch == "arm64" { 0x0100_000c } else { 0x0100_0007 };
    let words = [0xfeed_facf, cpu, 0, 2, 0, 0, 0, 0_u32];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A universal Mach-O file of two architectures (`mach-o/fat.h`).
#[must_use]
pub fn universal() -> Vec<u8> {
    let words = [0xcafe_babe, 2, 0x0100_0007, 3, 4096, 32, 12, 0x0100_000c, 0, 8192, 32, 14_u32];
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A DOS stub and PE headers (Microsoft, "PE Format").
fn pe(arch: &str) -> Vec<u8> {
    let machine: u16 = match arch {
        "386" => 0x014c,
        "arm64" => 0xaa64,
        "arm" => 0x01c4,
        _ => 0x8664,
    };
    let mut bytes = b"MZ".to_vec();
    bytes.resize(0x3c, 0);
    bytes.extend(0x40_u32.to_le_bytes());
    bytes.extend(b"PE\0\0");
    bytes.extend(machine.to_le_bytes());
    bytes.resize(0x40 + 24, 0);
    bytes.extend(0x020b_u16.to_le_bytes());
    bytes.resize(0x40 + 264, 0);
    bytes
}
