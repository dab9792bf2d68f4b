//! Registration: which keys may sign in a namespace. The first one makes the namespace.

use fastrand::Rng;
use yuba::address::NamespaceAddress;
use yuba::document::{NamespaceDocument, SigningKey, Visibility};
use yuba::fingerprint::Fingerprint;
use yuba::keys::DocumentKey;

use crate::backoff::Backoff;
use crate::copies;
use crate::documents::{self, AccessError, Next};
use crate::keyring::{Effect, certify};
use crate::openpgp::{KeyFacts, KeyFileError, PublicKey, parse_key_file};
use crate::publish::Write;
use crate::store::Store;
use crate::time;

/// Why a key is not registered.
#[derive(Debug, thiserror::Error)]
pub enum RegistrationError {
    /// The key's flags do not allow it to sign.
    #[error("key `{0}` may not sign: neither it nor a usable subkey has the signing flag")]
    MayNotSign(Fingerprint),
    /// The key has revoked itself.
    #[error("key `{0}` is revoked ({1}): clients refuse what it signed")]
    Revoked(Fingerprint, String),
    /// A registered key cannot be read, so nothing can be merged with it.
    #[error("registered key `{0}` cannot be read")]
    Registered(Fingerprint, #[source] KeyFileError),
    /// The two copies of a key do not go together, which is a bug.
    #[error("key `{0}` cannot be merged")]
    Merge(Fingerprint, #[source] KeyFileError),
    /// The namespace document could not be worked on.
    #[error(transparent)]
    Access(#[from] AccessError),
}

impl RegistrationError {
    /// Whether the keys are at fault, and not storage.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        match self {
            Self::MayNotSign(_) | Self::Revoked(..) => true,
            Self::Registered(..) | Self::Merge(..) | Self::Access(_) => false,
        }
    }
}

/// Keys to be registered.
#[derive(Debug, Clone)]
pub struct Registration {
    /// Where they may sign.
    pub namespace: NamespaceAddress,
    /// The keys.
    pub keys: Vec<PublicKey>,
    /// Who vouches for them: the registry protocol's `source`.
    pub source: Option<String>,
    /// Where that can be read: the registry protocol's `source_url`.
    pub source_url: Option<String>,
}

/// What became of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is registered now.
    Added,
    /// It was registered, and something about it is new.
    Updated,
    /// It was registered, and its new copy carries its owner's revocation: what it signed cannot be installed any more.
    Revoked,
    /// It was registered just so.
    Unchanged,
}

impl Outcome {
    /// The word that stands in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Revoked => "revoked",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Registered keys.
#[derive(Debug)]
pub struct Registered {
    /// Each key once, in the order they were given.
    pub keys: Vec<(SigningKey, Outcome)>,
    /// What was done to each storage key.
    pub writes: Vec<Write>,
}

/// Registers keys, all or none: the namespace document by compare-and-swap, then its KV copy.
///
/// # Errors
/// [`RegistrationError`] if a key cannot be registered or storage fails.
pub async fn register(
    store: &dyn Store,
    registration: &Registration,
    now: jiff::Timestamp,
    mut random: Rng,
) -> Result<Registered, RegistrationError> {
    let key = DocumentKey::Namespace(registration.namespace.clone());
    let mut outcomes = Vec::new();
    let changed = documents::change(store, &key, Backoff::new(random.fork()), |held: Option<NamespaceDocument>| {
        outcomes.clear();
        // The safe default for a public registry's first key; making it private is a decision of its own.
        let held = held.unwrap_or_else(|| NamespaceDocument::new(&registration.namespace, Visibility::Public));
        let mut next = held.clone();
        for key in &registration.keys {
            let outcome = add(&mut next, key, registration, now)?;
            outcomes.push((key.fingerprint().clone(), outcome));
        }
        if next == held && held.revision > 0 {
            return Ok::<_, RegistrationError>(Next::Keep(held));
        }
        next.revision += 1;
        Ok(Next::Write(next))
    });
    let changed = changed.await?;
    let mut writes = vec![Write::document(&key, changed.action)];
    let action = copies::copy(store, &key, &mut random).await?;
    writes.push(Write::copy(&key, action));
    let keys = outcomes.into_iter().filter_map(|(fingerprint, outcome)| {
        changed.document.signing_key(&fingerprint).map(|key| (key.clone(), outcome))
    });
    Ok(Registered { keys: keys.collect(), writes })
}

/// Adds one key to a namespace, or merges what is new about it.
fn add(
    namespace: &mut NamespaceDocument,
    key: &PublicKey,
    registration: &Registration,
    now: jiff::Timestamp,
) -> Result<Outcome, RegistrationError> {
    let fingerprint = key.fingerprint();
    if let Some(known) = namespace.signing_keys.iter_mut().find(|known| known.fingerprint == *fingerprint) {
        let updated = update(known, key, registration, now)?;
        let outcome = match (&updated == known, Effect::of(known, &updated)) {
            (true, _) => Outcome::Unchanged,
            (false, Effect::Blocks) => Outcome::Revoked,
            (false, Effect::Unblocks | Effect::None) => Outcome::Updated,
        };
        *known = updated;
        return Ok(outcome);
    }
    let facts = key.facts(now);
    if let Some(revocation) = facts.revoked {
        return Err(RegistrationError::Revoked(fingerprint.clone(), revocation.reason));
    }
    if !facts.can_sign {
        return Err(RegistrationError::MayNotSign(fingerprint.clone()));
    }
    let source = registration.source.clone().unwrap_or_default();
    let source_url = registration.source_url.clone().unwrap_or_default();
    namespace.signing_keys.push(describe(facts, time::render(now), source, source_url));
    Ok(Outcome::Added)
}

/// A known key with what another copy of it adds. A revocation of its owner's comes to the same record as `revoke` with
/// that certificate makes: clients refuse the key from then on. That it is retired stays.
fn update(
    known: &SigningKey,
    key: &PublicKey,
    registration: &Registration,
    now: jiff::Timestamp,
) -> Result<SigningKey, RegistrationError> {
    let fingerprint = key.fingerprint();
    let registered = parse_key_file(known.ascii_armor.as_bytes())
        .and_then(|keys| keys.into_iter().next().ok_or(KeyFileError::NotAKey));
    let mut merged = registered.map_err(|error| RegistrationError::Registered(fingerprint.clone(), error))?;
    merged.merge(key).map_err(|error| RegistrationError::Merge(fingerprint.clone(), error))?;
    let source = registration.source.clone().unwrap_or_else(|| known.source.clone());
    let source_url = registration.source_url.clone().unwrap_or_else(|| known.source_url.clone());
    let (retired, revoked) = (known.retired.clone(), certify(&merged, known.revoked.as_ref(), now));
    Ok(SigningKey { retired, revoked, ..describe(merged.facts(now), known.added.clone(), source, source_url) })
}

fn describe(facts: KeyFacts, added: String, source: String, source_url: String) -> SigningKey {
    SigningKey {
        fingerprint: facts.fingerprint,
        user_ids: facts.user_ids,
        algorithm: facts.algorithm.to_string(),
        created: time::render(facts.created),
        expires: facts.expires.map(time::render),
        added,
        retired: None,
        revoked: None,
        ascii_armor: facts.ascii_armor,
        source,
        source_url,
    }
}
