//! Defects of the key that signed.

use jiff::SignedDuration;
use pgp::packet::RevocationCode;
use yuba::document::RevocationPolicy;

use super::super::keys::{Binding, KeySpec, Kind, SubkeySpec, Use, UserIdState};
use super::{Defect, GivenUp, Scene, defect};

fn sign_with(scene: &mut Scene, change: fn(&mut KeySpec)) {
    let mut spec = KeySpec::new("acme");
    change(&mut spec);
    scene.sign_with(spec.build());
}

pub(super) fn defects() -> Vec<Defect> {
    vec![
        defect("key-may-sign", "certify only", |scene| sign_with(scene, |key| key.r#use = Use::Certify)),
        defect("key-may-sign", "no flags", |scene| sign_with(scene, |key| key.r#use = Use::Unsaid)),
        defect("key-may-sign", "subkey", |scene| {
            sign_with(scene, |key| key.subkey = Some(SubkeySpec { r#use: Use::Certify, ..SubkeySpec::default() }));
        }),
        defect("key-user-id", "forged self-signature", |scene| {
            sign_with(scene, |key| key.user_id = UserIdState::Forged);
        }),
        defect("key-user-id", "signed by another key", |scene| {
            sign_with(scene, |key| key.user_id = UserIdState::SignedByOther);
        }),
        defect("key-binding", "no cross-certification", |scene| {
            sign_with(scene, |key| key.subkey = Some(SubkeySpec { binding: Binding::OneWay, ..SubkeySpec::default() }));
        }),
        defect("key-binding", "bound by another key", |scene| {
            sign_with(scene, |key| key.subkey = Some(SubkeySpec { binding: Binding::Forged, ..SubkeySpec::default() }));
        }),
        defect("key-expired", "primary key", |scene| {
            sign_with(scene, |key| key.lifetime = Some(SignedDuration::from_hours(24 * 40)));
        }),
        defect("key-expired", "subkey", |scene| {
            sign_with(scene, |key| {
                let lifetime = Some(SignedDuration::from_hours(24 * 40));
                key.subkey = Some(SubkeySpec { lifetime, ..SubkeySpec::default() });
            });
        }),
        defect("key-revoked", "compromised", |scene| {
            sign_with(scene, |key| key.revoked = Some(RevocationCode::KeyCompromised));
        }),
        defect("key-revoked", "retired", |scene| {
            sign_with(scene, |key| key.revoked = Some(RevocationCode::KeyRetired));
        }),
        defect("key-revoked", "subkey", |scene| {
            sign_with(scene, |key| {
                let revoked = Some(RevocationCode::KeySuperseded);
                key.subkey = Some(SubkeySpec { revoked, ..SubkeySpec::default() });
            });
        }),
        defect("key-revoked", "user id", |scene| sign_with(scene, |key| key.user_id = UserIdState::Revoked)),
        defect("key-revoked", "by the registry, blocked", |scene| {
            scene.give_up(&GivenUp::revoked(RevocationPolicy::Block, "laptop stolen"));
        }),
        defect("key-revoked", "by the registry, warned of", |scene| {
            scene.give_up(&GivenUp::revoked(RevocationPolicy::Warn, "laptop lost"));
        }),
        defect("key-strength", "RSA 1024", |scene| sign_with(scene, |key| key.kind = Kind::Rsa1024)),
        defect("key-algorithm", "Ed25519 by its new number", |scene| {
            sign_with(scene, |key| key.kind = Kind::NewEd25519);
        }),
        defect("key-retired", "by the registry", |scene| {
            scene.give_up(&GivenUp::Retired("2024-02-15T00:00:00Z"));
        }),
    ]
}
