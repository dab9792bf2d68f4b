//! Rows about the executable that a client starts.

use crate::verify::check::area;

area! {
    "Executable";

    EXECUTABLE = "YB076" "executable", Refuse Refuse,
        proves "The archive's root has a file named `terraform-provider-TYPE`, or that and `_` or `.` and more.",
        matters "Clients look for nothing else and not in directories: the package installs, but cannot be used.",
        remedy "Name the executable `terraform-provider-TYPE_vVERSION`; in goreleaser, set `builds.binary` so.";
    EXECUTABLE_SINGLE = "YB077" "executable-single", Refuse Warn,
        proves "Only one file of the root is so named.",
        matters "Clients start the first in lexical order: `terraform-provider-x.md` would win over `terraform-provider-x_v1`.",
        remedy "Rename the other files.";
    EXECUTABLE_HOST = "YB078" "executable-host", Refuse Warn,
        proves "The executable's entry was made on a unix host, so that it carries a file mode.",
        matters "Clients unpack it without the right to execute: it installs, but cannot be started.",
        remedy "Pack it on Linux or macOS, or with a tool that writes unix modes, as goreleaser does.";
    EXECUTABLE_MODE = "YB079" "executable-mode", Refuse Warn,
        proves "The executable's mode is 0755.",
        matters "Clients unpack it with that mode: without the right to execute it cannot be started.",
        remedy "Run `chmod 0755` before packing; in goreleaser, set `archives.builds_info.mode: 0755`.";
    EXECUTABLE_PLATFORM = "YB080" "executable-platform", Refuse Refuse,
        proves "The executable's own header does not contradict the platform in the archive's name.",
        matters "It installs, but the operating system refuses to start it.",
        remedy "Build with GOOS and GOARCH as the name says, and check that the archive took that file.";
    EXECUTABLE_HEADER = "YB081" "executable-header", Warn Warn,
        proves "The executable has the header that its platform is known for.",
        matters "Whether it starts there could not be told.",
        remedy "Install it once on that platform; a script or an unusual platform is no mistake.";
}
