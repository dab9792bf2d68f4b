//! A release whose one archive is as large as large providers' and packs as well as theirs.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use yuba_tests::releases::{Key, ManifestPlace, Release, executable};

use crate::Failure;
use crate::content::PLATFORMS;

const PLATFORM: &str = "linux_amd64";

/// Content changes in blocks of this size, larger than what deflate looks back on.
const BLOCK_BYTES: usize = 1 << 20;

/// What every ten blocks are of. Together they pack to a quarter, as executables do.
const BLOCKS: [Block; 10] = {
    use Block::{Code, Noise, Zeros};
    [Code, Code, Zeros, Code, Code, Noise, Code, Zeros, Code, Zeros]
};

#[derive(Clone, Copy)]
enum Block {
    /// Tables that are filled at run time.
    Zeros,
    /// Words that recur in ever other order.
    Code,
    /// Embedded data that is packed already.
    Noise,
}

/// Writes the release to `directory/dist` and its key to `directory/KEY.asc`, the same ones every time.
pub(crate) fn write(directory: &Path, bytes: usize) -> Result<(), Failure> {
    let key = Key::new("benchmark");
    let mut content = executable(PLATFORM, "benchmark");
    fill(&mut content, bytes);
    Release::new("benchmark", "1.0.0", &key).platform(PLATFORM, &content).write(&directory.join("dist"))?;
    Ok(fs::write(directory.join("KEY.asc"), key.ascii_armor())?)
}

/// Writes a release for every platform to `directory/dist` and its key to `directory/KEY.asc`, one archive in memory at a
/// time. The executables do not pack, so that each archive has as many bytes as what it holds.
pub(crate) fn write_all(directory: &Path, bytes: usize) -> Result<(), Failure> {
    let (key, dist) = (Key::new("benchmark"), directory.join("dist"));
    let mut random = Rng::with_seed(0x7975_6261);
    let noise: Vec<u8> = std::iter::repeat_with(|| random.u64(..).to_ne_bytes()).take(bytes / 8).flatten().collect();
    let mut sums = String::new();
    for platform in PLATFORMS {
        let mut content = executable(platform, "benchmark");
        content.extend(noise.iter().skip(content.len()));
        let manifest_place = ManifestPlace::Nowhere;
        let release = Release { manifest_place, ..Release::new("benchmark", "1.0.0", &key) };
        let release = release.platform(platform, &content);
        release.write(&dist)?;
        sums += &release.sums();
    }
    let release = Release::new("benchmark", "1.0.0", &key);
    sums += &release.sums();
    let change_sums = Box::new(move |_: &[u8]| sums.clone().into_bytes());
    Release { change_sums, ..release }.write(&dist)?;
    Ok(fs::write(directory.join("KEY.asc"), key.ascii_armor())?)
}

/// Makes `content` `bytes` long.
fn fill(content: &mut Vec<u8>, bytes: usize) {
    let mut random = Rng::with_seed(0x7975_6261);
    let words: Vec<Vec<u8>> = (0..1_024).map(|_| word(&mut random)).collect();
    for block in BLOCKS.iter().cycle() {
        let end = bytes.min(content.len() + BLOCK_BYTES);
        match block {
            Block::Zeros => content.resize(end, 0),
            Block::Code => {
                while content.len() < end {
                    // Some words are much more frequent than others.
                    let bound = random.usize(1..=words.len());
                    let bound = random.usize(1..=bound);
                    content.extend(words.get(random.usize(..bound)).into_iter().flatten());
                }
            }
            Block::Noise => content.extend((content.len()..end).map(|_| random.u8(..))),
        }
        content.truncate(bytes);
        if content.len() == bytes {
            return;
        }
    }
}

fn word(random: &mut Rng) -> Vec<u8> {
    let length = random.usize(4..24);
    (0..length).map(|_| random.u8(..)).collect()
}
