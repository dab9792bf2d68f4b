//! What keeps executables from being packed.

use std::path::PathBuf;

use yuba::platform::Platform;

/// One thing that is wrong with what is to be packed, or with where it should go.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A directory has nothing in it.
    #[error("`{}` has no builds in it", .0.display())]
    NoBuilds(PathBuf),
    /// A name in a directory of builds says no platform.
    #[error("`{}` is not named for a platform", .0.display())]
    NoPlatform(PathBuf),
    /// A platform's directory has no file, or several without one that stands out.
    #[error("`{}` has {} files, and one executable is wanted", .0.display(), .1)]
    NoExecutable(PathBuf, usize),
    /// Two executables are for one platform.
    #[error("`{}` has two executables: `{}` and `{}`", .0, .1.display(), .2.display())]
    SamePlatform(Platform, PathBuf, PathBuf),
    /// Two platforms have one executable.
    #[error("`{}` has the same executable as `{}`: `{}`", .0, .1, .2.display())]
    SameBytes(Platform, Platform, PathBuf),
    /// A file cannot be read.
    #[error("cannot read `{}`: {}", .0.display(), .1)]
    Unreadable(PathBuf, String),
    /// A path is no file.
    #[error("`{}` is no regular file", .0.display())]
    NotAFile(PathBuf),
    /// An executable is for another platform.
    #[error("`{}` is not for `{}`: it is {}", .0.display(), .1, .2)]
    OtherPlatform(PathBuf, Platform, String),
    /// A further file has a name that cannot be one in an archive.
    #[error("`{}` cannot be included: {}", .0.display(), .1)]
    Include(PathBuf, String),
    /// There is something else where the archives should go.
    #[error("`{}` is there already, and is no part of this release", .0.display())]
    Foreign(PathBuf),
    /// There is another archive of that name.
    #[error("`{}` is there already, with other content", .0.display())]
    OtherContent(PathBuf),
    /// What is there was signed.
    #[error("`{}` is there already, and does not vouch for what would be added", .0.display())]
    Signed(PathBuf),
}

impl Problem {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoBuilds(_) => "build the provider for each platform first, with GOOS and GOARCH",
            Self::NoPlatform(_) => {
                "name it OS_ARCH by Go's names, or let it end in _OS_ARCH; or name each executable: OS_ARCH=PATH"
            }
            Self::NoExecutable(..) => "leave one file there, or name it: OS_ARCH=PATH",
            Self::SamePlatform(..) => "name one of them",
            Self::SameBytes(..) => {
                "build one for each, since OpenTofu 1.12 crashes on two platforms with one archive; parts of a universal binary: lipo -thin"
            }
            Self::Unreadable(..) => "check the path and its permissions",
            Self::NotAFile(_) => "name a file; a directory of builds is named alone, without `OS_ARCH=`",
            Self::OtherPlatform(..) => "check that the path goes with its platform; GOOS and GOARCH say what is built",
            Self::Include(..) => "rename the file, or leave it out",
            Self::Foreign(_) => "pack into an empty directory: all archives in it are signed and published together",
            Self::OtherContent(_) | Self::Signed(_) => {
                "remove what is there if nobody has it yet, or pack into another directory: nothing is written over"
            }
        }
    }
}
