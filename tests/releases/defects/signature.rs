//! Defects of the signature.

use std::fs;

use jiff::SignedDuration;
use pgp::crypto::hash::HashAlgorithm;

use super::super::keys::{IssuerState, KeySpec, Kind, armor_signature};
use super::{Defect, Key, Scene, defect};

fn change(scene: &mut Scene, change: fn(&[u8]) -> Vec<u8>) {
    scene.release.change_signature = Box::new(change);
}

/// A signature packet with one byte of its body changed.
fn patch(packet: &[u8], at: usize, value: u8) -> Vec<u8> {
    let mut packet = packet.to_vec();
    // One byte of tag, and one or two of length (RFC 9580, section 4.2.1).
    let body = if packet[1] < 192 { 2 } else { 3 };
    packet[body + at] = value;
    packet
}

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("signature-armored", "armored", |scene| change(scene, armor_signature)),
        defect("signature-packet", "text", |scene| change(scene, |_| b"signed, Alice\n".to_vec())),
        defect("signature-packet", "empty", |scene| change(scene, |_| Vec::new())),
        defect("signature-packet", "cut off", |scene| change(scene, |bytes| bytes[..bytes.len() - 8].to_vec())),
        defect("signature-packet", "a byte behind it", |scene| change(scene, |bytes| [bytes, &[0x88]].concat())),
        defect("signature-packet", "a key", |scene| change(scene, |_| Key::new("acme").to_bytes())),
        defect("signature-packet", "an armored key", |scene| {
            change(scene, |_| Key::new("acme").ascii_armor().into_bytes());
        }),
        defect("signature-single", "two", |scene| change(scene, |bytes| [bytes, bytes].concat())),
        defect("signature-format", "of a user id", |scene| change(scene, |bytes| patch(bytes, 1, 0x10))),
        defect("signature-format", "version 5", |scene| change(scene, |bytes| patch(bytes, 0, 5))),
        defect("signature-issuer", "none", |scene| scene.release.signature.issuer = IssuerState::Unnamed),
        defect("signature-issuer", "two", |scene| scene.release.signature.issuer = IssuerState::Contradictory),
        defect("signature-hash", "SHA-1", |scene| {
            scene.sign_with(KeySpec { kind: Kind::Rsa2048, ..KeySpec::new("rsa") }.build());
            scene.release.signature.hash = HashAlgorithm::Sha1;
        }),
        defect("signature-notation", "in the signature", |scene| {
            scene.release.signature.notation = Some("policy@example.invalid");
        }),
        defect("signature-notation", "in the key", |scene| {
            let notation = Some("policy@example.invalid");
            scene.sign_with(KeySpec { notation, ..KeySpec::new("acme") }.build());
        }),
        defect("signature-key", "another", |scene| scene.release.key = Key::new("mallory")),
        defect("signature-key", "none registered", |scene| scene.keys.clear()),
        defect("signature-valid", "SHA256SUMS changed", |scene| {
            let path = scene.release.sums_path("".as_ref());
            scene.afterwards(move |dist| {
                let sums = fs::read_to_string(dist.join(&path))?;
                let mut reversed: Vec<_> = sums.split_inclusive('\n').collect();
                reversed.reverse();
                fs::write(dist.join(&path), reversed.concat())
            });
        }),
        defect("signature-valid", "signature changed", |scene| {
            change(scene, |bytes| {
                let (last, rest) = bytes.split_last().unwrap();
                [rest, &[last ^ 1]].concat()
            });
        }),
        defect("signature-expired", "after a day", |scene| {
            scene.release.signature.lifetime = Some(SignedDuration::from_hours(24));
        }),
        defect("signature-future", "signed tomorrow", |scene| {
            scene.release.signature.at = scene.now + SignedDuration::from_hours(24);
        }),
    ]
}
