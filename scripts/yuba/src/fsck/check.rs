//! A check: one row of the table of what `yuba fsck` looks at.

use serde::Serialize;

use crate::table::{self, Row};

/// What a finding means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Something is wrong.
    Problem,
    /// Something is there that an interrupted or a running command explains.
    Note,
}

impl Weight {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Problem => "problem",
            Self::Note => "note",
        }
    }
}

/// Whether `--repair` can mend what a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mend {
    /// What should be there follows from what is there.
    Derived,
    /// It does, if another copy of it is left.
    IfCopied,
    /// Nobody but its owner knows.
    Never,
}

/// One thing that holds in a sound storage.
///
/// Findings, their hints and `docs/fsck.md` all derive from these rows.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Check {
    /// The code that names the row for ever, such as `YF012`.
    pub code: &'static str,
    /// The row's short name.
    pub slug: &'static str,
    /// What a finding means.
    pub weight: Weight,
    /// Whether it can be mended.
    pub mend: Mend,
    /// What holds in a storage without a finding, in one sentence.
    pub holds: &'static str,
    /// What comes of it where it does not hold.
    pub matters: &'static str,
    /// What to do about a finding.
    pub remedy: &'static str,
}

/// The rows about one part of storage.
pub type Area = table::Area<Check>;

impl Row for Check {
    fn code(&self) -> &'static str {
        self.code
    }

    fn slug(&self) -> &'static str {
        self.slug
    }

    fn sentences(&self) -> [&'static str; 3] {
        [self.holds, self.matters, self.remedy]
    }

    fn consequence(&self) -> String {
        let weight = match self.weight {
            Weight::Problem => "A problem",
            Weight::Note => "A note",
        };
        let mend = match self.mend {
            Mend::Derived => "`--repair` mends it",
            Mend::IfCopied => "`--repair` mends it where a good copy is left",
            Mend::Never => "`--repair` leaves it alone",
        };
        format!("{weight}; {mend}.")
    }
}

impl Serialize for Check {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code)
    }
}

/// Declares the rows of one area: a static for each, and the area that lists them.
macro_rules! area {
    (
        $title:literal;
        $($name:ident = $code:literal $slug:literal, $weight:ident $mend:ident,
            holds $holds:literal,
            matters $matters:literal,
            remedy $remedy:literal;)+
    ) => {
        use crate::fsck::check::{Area, Check, Mend, Weight};

        $(
            #[doc = $holds]
            pub static $name: Check = Check {
                code: $code,
                slug: $slug,
                weight: Weight::$weight,
                mend: Mend::$mend,
                holds: $holds,
                matters: $matters,
                remedy: $remedy,
            };
        )+

        /// The rows of this area.
        pub static AREA: Area = Area { title: $title, checks: &[$(&$name),+] };
    };
}

pub(crate) use area;
