//! A check: one row of the verification table.

use serde::Serialize;

use super::severity::{Origin, Severity};
use crate::table::{self, Row};

/// One thing that verification proves about a release.
///
/// Findings, their hints, `docs/verification.md` and the tests all derive from these rows.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Check {
    /// The code that names the row for ever, such as `YB012`.
    pub code: &'static str,
    /// The row's short name, which its fixture has too.
    pub slug: &'static str,
    /// What holds for a release without a finding, in one sentence.
    pub proves: &'static str,
    /// What a client does where it does not hold.
    pub matters: &'static str,
    /// What to do about a finding.
    pub remedy: &'static str,
    /// What a finding does to a release of one's own.
    pub own: Severity,
    /// What a finding does to a release of another origin.
    pub other: Severity,
}

impl Check {
    /// What a finding does to a release that comes from `origin`.
    #[must_use]
    pub const fn severity(&self, origin: Origin) -> Severity {
        match origin {
            Origin::Own => self.own,
            Origin::Other => self.other,
        }
    }
}

/// The rows about one part of a release.
pub type Area = table::Area<Check>;

impl Row for Check {
    fn code(&self) -> &'static str {
        self.code
    }

    fn slug(&self) -> &'static str {
        self.slug
    }

    fn sentences(&self) -> [&'static str; 3] {
        [self.proves, self.matters, self.remedy]
    }

    fn consequence(&self) -> String {
        format!("Own release: {}. Another origin's: {}.", self.own.as_str(), self.other.as_str())
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
        $($name:ident = $code:literal $slug:literal, $own:ident $other:ident,
            proves $proves:literal,
            matters $matters:literal,
            remedy $remedy:literal;)+
    ) => {
        use crate::verify::check::{Area, Check};
        use crate::verify::severity::Severity;

        $(
            #[doc = $proves]
            pub static $name: Check = Check {
                code: $code,
                slug: $slug,
                proves: $proves,
                matters: $matters,
                remedy: $remedy,
                own: Severity::$own,
                other: Severity::$other,
            };
        )+

        /// The rows of this area.
        pub static AREA: Area = Area { title: $title, checks: &[$(&$name),+] };
    };
}

pub(crate) use area;
