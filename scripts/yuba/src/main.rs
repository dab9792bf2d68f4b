//! The `yuba` command.

fn main() {}
