//! How far a verification is, for whoever watches it.

/// Something that shows how far the verification of archives is; it is told from several threads at once.
pub trait Progress: Sync {
    /// The verification of `archive` starts, which takes `bytes` of work.
    fn start(&self, archive: &str, bytes: u64);

    /// A further `bytes` of `archive` are done.
    fn advance(&self, archive: &str, bytes: u64);

    /// Nothing of `archive` is left to do.
    fn finish(&self, archive: &str);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _archive: &str, _bytes: u64) {}

    fn advance(&self, _archive: &str, _bytes: u64) {}

    fn finish(&self, _archive: &str) {}
}
