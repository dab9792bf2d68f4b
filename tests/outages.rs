//! What is lost or out of order behind the registry, and what clients notice of it (invariants 4 and 5 of the design).
//!
//! A document that KV lacks, whichever it is, and a KV that fails change nothing for anybody. An R2 that fails is told as
//! 503, never as absence, where its word is needed, and is forgotten once it answers again.

use std::time::Duration;

use yuba::address::ReleaseAddress;
use yuba::document::{Document as _, IndexDocument, ProviderDocument, ReleaseDocument, Visibility};
use yuba::keys::DocumentKey;
use yuba::platform::Platform;
use yuba::serve::Freshness;
use yuba_tests::content::{Content, Release};
use yuba_tests::exchange::{Ask, MemoryServer, Reply, Server};
use yuba_tests::installation::{Failed, Installed, install, install_mirrored};
use yuba_tests::memory::MemoryStorage;
use yuba_tests::workerd::Workerd;

/// What a client gets who asks for one package every way there is.
type Seen = (ReleaseAddress, Platform, Result<Installed, Failed>, Result<Vec<u8>, Failed>);

/// All packages that the documents of `content` name, be they for everybody to see or not.
fn packages(content: &Content) -> Vec<(ReleaseAddress, Platform)> {
    let mut packages = Vec::new();
    for (key, bytes) in content.documents.values() {
        if let DocumentKey::Release(address, _) = key {
            let release = ReleaseDocument::from_json(bytes).unwrap();
            packages.extend(release.packages.keys().map(|platform| (address.clone(), platform.clone())));
        }
    }
    packages
}

/// Asks for every package through every protocol.
fn see(server: &mut dyn Server, content: &Content) -> Vec<Seen> {
    let packages = packages(content).into_iter();
    let seen = packages.map(|(release, platform)| {
        let installed = install(server, &release, &platform);
        let mirrored = install_mirrored(server, &release, &platform);
        (release, platform, installed, mirrored)
    });
    seen.collect()
}

fn isolate(content: &Content) -> (MemoryServer, MemoryStorage) {
    let storage = MemoryStorage::new(content);
    (MemoryServer::new(storage.clone(), Freshness::DEPLOYED), storage)
}

/// What clients see while nothing is wrong, which must be something.
fn expected(content: &Content) -> Vec<Seen> {
    let seen = see(&mut isolate(content).0, content);
    let own = seen.iter().filter(|(_, _, installed, _)| installed.is_ok()).count();
    let mirrored = seen.iter().filter(|(_, _, _, mirrored)| mirrored.is_ok()).count();
    assert!(own >= 6 && mirrored >= 6, "{own} and {mirrored} of {} packages install", seen.len());
    seen
}

#[test]
fn whichever_document_kv_lacks_nothing_changes() {
    let content = Content::sample();
    let expected = expected(&content);
    for (key, _) in content.documents.values() {
        let (mut cold, storage) = isolate(&content);
        storage.remove_copy(key);
        assert_eq!(see(&mut cold, &content), expected, "{key}");

        let (mut warm, storage) = isolate(&content);
        assert_eq!(see(&mut warm, &content), expected);
        storage.remove_copy(key);
        storage.pass(Duration::from_mins(1));
        assert_eq!(see(&mut warm, &content), expected, "{key}, warm");
    }
    eprintln!(
        "{} documents missing in KV, one at a time, cold and warm: {} packages, none lost",
        content.documents.len(),
        expected.len()
    );
}

#[test]
fn an_empty_or_failing_kv_changes_nothing() {
    let content = Content::sample();
    let expected = expected(&content);
    let (mut server, storage) = isolate(&content);
    for (key, _) in content.documents.values() {
        storage.remove_copy(key);
    }
    assert_eq!(see(&mut server, &content), expected, "empty");
    let (mut server, storage) = isolate(&content);
    storage.kv().fails.set(true);
    assert_eq!(see(&mut server, &content), expected, "cold");
    storage.pass(Duration::from_mins(1));
    assert_eq!(see(&mut server, &content), expected, "warm");
    storage.kv().fails.set(false);
    storage.pass(Duration::from_mins(1));
    assert_eq!(see(&mut server, &content), expected, "recovered");
}

/// Documents come from KV as they were; an archive is in R2 alone, and so is the word on what KV does not have.
#[test]
fn a_failing_r2_is_503_where_its_word_is_needed_and_forgotten_afterwards() {
    let content = Content::sample();
    let expected = expected(&content);
    let (mut server, storage) = isolate(&content);
    storage.r2().fails.set(true);
    let mut refused = 0;
    for ((release, platform, installed, mirrored), (.., before, before_mirrored)) in
        see(&mut server, &content).into_iter().zip(&expected)
    {
        let outcomes = [(installed.err(), before.is_ok()), (mirrored.err(), before_mirrored.is_ok())];
        for (failed, _) in outcomes.into_iter().filter(|(_, installs)| *installs) {
            let failed = failed.expect("an archive that comes from nowhere");
            assert_eq!(failed.status, 503, "{release} {platform}: {failed:?}");
            assert!(failed.path.contains("/releases/"), "{failed:?}");
            refused += 1;
        }
    }
    for absent in ["/v1/providers/acme/absent/versions", "/v1/providers/acme/dns/9.9.9/download/linux/amd64"] {
        let Reply { status, headers, .. } = server.exchange(&Ask::new(&format!("GET {absent}")));
        assert_eq!(status, 503, "{absent}");
        assert!(headers.contains(&("retry-after".to_owned(), "2".to_owned())), "{headers:?}");
    }
    storage.r2().fails.set(false);
    storage.pass(Duration::from_secs(2));
    assert_eq!(see(&mut server, &content), expected);
    eprintln!("R2 failing: {refused} installations refused with 503, all of them possible again afterwards");
}

/// The same with the Worker's own storage, where KV is asked through its binding.
#[test]
fn whichever_document_kv_lacks_nothing_changes_in_workerd() {
    let mut workerd = match Workerd::find() {
        Ok(workerd) => workerd,
        Err(reason) => return eprintln!("skipped: workerd: {reason}"),
    };
    // A hostname of its own, which no other test's documents belong to.
    let content = Content::default()
        .namespace("outages.example/acme", Visibility::Public)
        .release(&Release::new("outages.example/acme/dns", "1.0.0"))
        .release(&Release::new("outages.example/acme/dns", "1.1.0"));
    for (key, bytes) in &content.archives {
        workerd.put(&format!("r2/{}", key.object()), bytes);
    }
    let documents: Vec<_> =
        content.documents.values().map(|(key, bytes)| (key, with_others(&workerd, key, bytes))).collect();
    for (key, bytes) in &documents {
        workerd.put(&format!("r2/{}", key.object()), bytes);
        workerd.put(&format!("kv/{key}"), bytes);
    }
    let expected: Vec<_> = see_mirrored(&mut workerd, &content);
    assert!(expected.iter().all(Result::is_ok), "{expected:?}");
    for (key, bytes) in &documents {
        workerd.delete(&format!("kv/{key}"));
        assert_eq!(see_mirrored(&mut workerd, &content), expected, "{key}");
        workerd.put(&format!("kv/{key}"), bytes);
    }
    eprintln!("{} documents missing in KV, one at a time, in workerd: none lost", documents.len());
}

/// The index is one for all who use this Worker: what others have in it stays.
fn with_others(workerd: &Workerd, key: &DocumentKey, bytes: &[u8]) -> Vec<u8> {
    let DocumentKey::Index = key else { return bytes.to_vec() };
    let Some(held) = workerd.get(&format!("r2/{}", key.object())) else { return bytes.to_vec() };
    let held = IndexDocument::from_json(&held).unwrap();
    held.with(&"outages.example/acme/dns".parse().unwrap()).to_json().unwrap()
}

fn see_mirrored(server: &mut dyn Server, content: &Content) -> Vec<Result<Vec<u8>, Failed>> {
    let provider = content.documents.values().find_map(|(key, bytes)| match key {
        DocumentKey::Provider(_) => Some(ProviderDocument::from_json(bytes).unwrap()),
        _ => None,
    });
    assert_eq!(provider.unwrap().versions().count(), 2);
    packages(content).iter().map(|(release, platform)| install_mirrored(server, release, platform)).collect()
}
