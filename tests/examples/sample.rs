//! The sample that `scripts/dev` publishes: a signed release in DIRECTORY/dist, and its key in DIRECTORY/KEY.asc.
//!
//! `cargo run --example sample -- DIRECTORY [EXECUTABLES]`, where EXECUTABLES is the directory of a real provider's
//! executables by platform. Without it, the sample installs but does not start. Prints
//! `{"namespace","type","version"}`.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use yuba_tests::client::time_executables;
use yuba_tests::releases::{Key, KeySpec, Release};

type Failure = Box<dyn Error>;

const NAMESPACE: &str = "yuba";

/// What the sample is built for where there is no real provider.
const PLATFORMS: [&str; 6] =
    ["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"];

fn main() -> Result<(), Failure> {
    let mut arguments = env::args_os().skip(1);
    let directory = arguments.next().ok_or("usage: sample DIRECTORY [EXECUTABLES]")?;
    let key = KeySpec::new("yuba sample").build();
    let release = match arguments.next() {
        Some(executables) => real(Path::new(&executables), &key)?,
        None => Release::new("sample", "1.0.0", &key).platforms(&PLATFORMS),
    };
    let directory = Path::new(&directory);
    release.write(&directory.join("dist"))?;
    fs::write(directory.join("KEY.asc"), key.ascii_armor())?;
    let (r#type, version) = (&release.r#type, &release.version);
    println!("{}", serde_json::json!({ "namespace": NAMESPACE, "type": r#type, "version": version }));
    Ok(())
}

/// The release of a real provider: terraform-provider-time, which needs nothing but itself.
fn real(executables: &Path, key: &Key) -> Result<Release, Failure> {
    let release = Release::new("time", "0.14.2", key).protocols(&["5.0"]);
    let executables = time_executables(executables)?;
    Ok(executables.iter().fold(release, |release, (platform, executable)| release.platform(platform, executable)))
}
