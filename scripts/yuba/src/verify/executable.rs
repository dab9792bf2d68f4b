//! Executables: which file a client starts, and whether its header contradicts the archive's platform.

use std::fmt;

use object::elf::{self, FileHeader32, FileHeader64};
use object::macho::{self, FatArch32, FatArch64, MachHeader32, MachHeader64};
use object::pe::{self, ImageNtHeaders32};
use object::read::ReadRef as _;
use object::read::macho::{FatArch, MachHeader, MachOFatFile};
use object::{Endianness, FileKind, LittleEndian};
use yuba::archive_name::FILE_PREFIX;
use yuba::name::ProviderType;
use yuba::platform::Platform;

/// Whether a client takes a root entry called `name` for the executable of a provider of `type` (OpenTofu
/// `internal/providercache/cached_provider.go`).
pub(crate) fn is_candidate(name: &str, r#type: &ProviderType) -> bool {
    let rest = name.strip_prefix(FILE_PREFIX).and_then(|name| name.strip_prefix(r#type.as_str()));
    rest.is_some_and(|rest| !rest.contains('/') && (rest.is_empty() || rest.starts_with(['_', '.'])))
}

/// What an executable's header says, as far as it matters where it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Header {
    Elf { machine: elf::Machine, wide: bool, big_endian: bool, abi: u8 },
    MachO { cpus: Vec<macho::CpuType> },
    Pe { machine: pe::Machine },
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elf { machine, wide, big_endian, abi } => {
                let width = if *wide { 64 } else { 32 };
                let order = if *big_endian { "big" } else { "little" };
                write!(f, "an ELF file, machine {}, {width}-bit, {order}-endian, ABI {abi}", machine.0)
            }
            Self::MachO { cpus } => {
                write!(f, "a Mach-O file, CPU types")?;
                cpus.iter().try_for_each(|cpu| write!(f, " {:#x}", cpu.0))
            }
            Self::Pe { machine } => write!(f, "a PE file, machine {:#06x}", machine.0),
        }
    }
}

/// What the headers of an architecture's executables say.
struct Architecture {
    name: &'static str,
    elf: Option<(elf::Machine, Width, Order)>,
    macho: Option<macho::CpuType>,
    pe: Option<pe::Machine>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Narrow,
    Wide,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

const fn elf_only(name: &'static str, machine: elf::Machine, width: Width, order: Order) -> Architecture {
    Architecture { name, elf: Some((machine, width, order)), macho: None, pe: None }
}

/// Go's architectures (`internal/goarch`), with the machines that its linker writes (`cmd/link/internal/ld`).
const ARCHITECTURES: [Architecture; 14] = [
    Architecture {
        name: "386",
        elf: Some((elf::EM_386, Width::Narrow, Order::Little)),
        macho: Some(macho::CPU_TYPE_X86),
        pe: Some(pe::IMAGE_FILE_MACHINE_I386),
    },
    Architecture {
        name: "amd64",
        elf: Some((elf::EM_X86_64, Width::Wide, Order::Little)),
        macho: Some(macho::CPU_TYPE_X86_64),
        pe: Some(pe::IMAGE_FILE_MACHINE_AMD64),
    },
    Architecture {
        name: "arm",
        elf: Some((elf::EM_ARM, Width::Narrow, Order::Little)),
        macho: Some(macho::CPU_TYPE_ARM),
        pe: Some(pe::IMAGE_FILE_MACHINE_ARMNT),
    },
    Architecture {
        name: "arm64",
        elf: Some((elf::EM_AARCH64, Width::Wide, Order::Little)),
        macho: Some(macho::CPU_TYPE_ARM64),
        pe: Some(pe::IMAGE_FILE_MACHINE_ARM64),
    },
    elf_only("loong64", elf::EM_LOONGARCH, Width::Wide, Order::Little),
    elf_only("mips", elf::EM_MIPS, Width::Narrow, Order::Big),
    elf_only("mipsle", elf::EM_MIPS, Width::Narrow, Order::Little),
    elf_only("mips64", elf::EM_MIPS, Width::Wide, Order::Big),
    elf_only("mips64le", elf::EM_MIPS, Width::Wide, Order::Little),
    elf_only("ppc64", elf::EM_PPC64, Width::Wide, Order::Big),
    elf_only("ppc64le", elf::EM_PPC64, Width::Wide, Order::Little),
    elf_only("riscv64", elf::EM_RISCV, Width::Wide, Order::Little),
    elf_only("s390x", elf::EM_S390, Width::Wide, Order::Big),
    elf_only("sparc64", elf::EM_SPARCV9, Width::Wide, Order::Big),
];

/// The file format of an operating system's executables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Elf,
    MachO,
    Pe,
}

/// Go's operating systems (`internal/goos`) whose executables have a header that this module reads.
const SYSTEMS: [(&str, Format); 11] = [
    ("android", Format::Elf),
    ("darwin", Format::MachO),
    ("dragonfly", Format::Elf),
    ("freebsd", Format::Elf),
    ("illumos", Format::Elf),
    ("ios", Format::MachO),
    ("linux", Format::Elf),
    ("netbsd", Format::Elf),
    ("openbsd", Format::Elf),
    ("solaris", Format::Elf),
    ("windows", Format::Pe),
];

/// The ELF ABI numbers that name systems (System V ABI, `EI_OSABI`); 0 names none.
const ABIS: [(u8, &[&str]); 5] =
    [(2, &["netbsd"]), (3, &["linux", "android"]), (6, &["solaris", "illumos"]), (9, &["freebsd"]), (12, &["openbsd"])];

/// What an executable's first bytes say about its platform.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// Its header is that of the platform.
    Fits,
    /// Its header is another's; the text says whose.
    Contradicts(String),
    /// Nothing can be said; the text says why.
    Unknown(&'static str),
}

/// Whether a platform is one whose executables are known; a name that merely looks like a platform is not.
pub(crate) fn knows(platform: &Platform) -> bool {
    SYSTEMS.iter().any(|(os, _)| *os == platform.os())
        && ARCHITECTURES.iter().any(|architecture| architecture.name == platform.arch())
}

/// Judges an executable by its first bytes.
pub(crate) fn judge(head: &[u8], platform: &Platform) -> Judgement {
    let Some(header) = read_header(head) else {
        return Judgement::Unknown("has no header of a known kind: it is neither ELF, Mach-O nor PE");
    };
    let Some((_, format)) = SYSTEMS.iter().find(|(os, _)| *os == platform.os()) else {
        return Judgement::Unknown("is for an operating system whose executables are not known");
    };
    let fits_system = match (&header, format) {
        (Header::Elf { abi, .. }, Format::Elf) => fits_abi(*abi, platform.os()),
        (Header::MachO { .. }, Format::MachO) | (Header::Pe { .. }, Format::Pe) => Some(true),
        _ => Some(false),
    };
    let architecture = ARCHITECTURES.iter().find(|architecture| architecture.name == platform.arch());
    let fits_architecture = architecture.and_then(|architecture| fits_architecture(&header, architecture));
    match (fits_system, fits_architecture) {
        (Some(false), _) | (_, Some(false)) => Judgement::Contradicts(header.to_string()),
        (None, _) => Judgement::Unknown("names no operating system in its header, where others for this one do"),
        (_, None) => Judgement::Unknown("is for an architecture whose executables are not known"),
        (Some(true), Some(true)) => Judgement::Fits,
    }
}

/// Whether an ELF ABI number is that of a system; nothing can be said where it is 0 and the system has one of its own,
/// which Go's linker always writes except for Linux and Solaris.
fn fits_abi(abi: u8, os: &str) -> Option<bool> {
    const MAY_BE_UNNAMED: [&str; 5] = ["android", "dragonfly", "illumos", "linux", "solaris"];
    match ABIS.iter().find(|(number, _)| *number == abi) {
        Some((_, systems)) => Some(systems.contains(&os)),
        None => MAY_BE_UNNAMED.contains(&os).then_some(true),
    }
}

/// Whether a header is that of an architecture, where the format is known for it.
fn fits_architecture(header: &Header, architecture: &Architecture) -> Option<bool> {
    match header {
        Header::Elf { machine, wide, big_endian, .. } => architecture.elf.map(|(expected, width, order)| {
            *machine == expected && *wide == (width == Width::Wide) && *big_endian == (order == Order::Big)
        }),
        Header::MachO { cpus } => architecture.macho.map(|cpu| cpus.contains(&cpu)),
        Header::Pe { machine } => architecture.pe.map(|expected| *machine == expected),
    }
}

fn read_header(head: &[u8]) -> Option<Header> {
    match FileKind::parse(head).ok()? {
        FileKind::Elf32 => read_elf::<FileHeader32<Endianness>>(head),
        FileKind::Elf64 => read_elf::<FileHeader64<Endianness>>(head),
        FileKind::MachO32 => read_macho::<MachHeader32<Endianness>>(head),
        FileKind::MachO64 => read_macho::<MachHeader64<Endianness>>(head),
        FileKind::MachOFat32 => read_fat::<FatArch32>(head),
        FileKind::MachOFat64 => read_fat::<FatArch64>(head),
        FileKind::Pe32 | FileKind::Pe64 => {
            let offset = pe::ImageDosHeader::parse(head).ok()?.nt_headers_offset();
            let headers = head.read_at::<ImageNtHeaders32>(offset.into()).ok()?;
            Some(Header::Pe { machine: headers.file_header.machine.get(LittleEndian) })
        }
        _ => None,
    }
}

fn read_elf<E: object::read::elf::FileHeader<Endian = Endianness>>(head: &[u8]) -> Option<Header> {
    let header = E::parse(head).ok()?;
    let endian = header.endian().ok()?;
    Some(Header::Elf {
        machine: header.e_machine(endian),
        wide: header.is_class_64(),
        big_endian: header.is_big_endian(),
        abi: header.e_ident().os_abi.0,
    })
}

fn read_macho<M: MachHeader<Endian = Endianness>>(head: &[u8]) -> Option<Header> {
    let header = M::parse(head, 0).ok()?;
    let endian = header.endian().ok()?;
    Some(Header::MachO { cpus: vec![header.cputype(endian)] })
}

fn read_fat<F: FatArch>(head: &[u8]) -> Option<Header> {
    let file = MachOFatFile::<F>::parse(head).ok()?;
    Some(Header::MachO { cpus: file.arches().iter().map(FatArch::cputype).collect() })
}
