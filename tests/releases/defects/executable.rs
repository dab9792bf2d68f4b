//! Defects of the executable.

use super::super::{executable, zip};
use super::{Defect, Entry, defect};

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("executable", "another name", |scene| scene.executable().name = b"dns".to_vec()),
        defect("executable", "in a directory", |scene| {
            scene.executable().name = b"bin/terraform-provider-dns_v1.0.0".to_vec();
        }),
        defect("executable", "another type", |scene| {
            scene.executable().name = b"terraform-provider-dnssec_v1.0.0".to_vec();
        }),
        defect("executable-single", "two", |scene| {
            scene.add(Entry::file("terraform-provider-dns_v1.0.0.sbom", b"{}"));
        }),
        defect("executable-host", "MS-DOS", |scene| scene.executable().host = zip::DOS),
        defect("executable-mode", "0644", |scene| scene.executable().mode = 0o100_644),
        defect("executable-mode", "0700", |scene| scene.executable().mode = 0o100_700),
        defect("executable-mode", "0777", |scene| scene.executable().mode = 0o100_777),
        defect("executable-platform", "another architecture", |scene| {
            scene.executable().content = executable("linux_arm64", "other");
        }),
        defect("executable-platform", "another system's format", |scene| {
            scene.executable().content = executable("windows_amd64", "other");
        }),
        defect("executable-platform", "another system's ABI", |scene| {
            scene.executable().content = executable("freebsd_amd64", "other");
        }),
        defect("executable-header", "a script", |scene| {
            scene.executable().content = b"#!/bin/sh\nexec python3 provider.py\n".to_vec();
        }),
    ]
}
