//! Diagnosis of a registry: what is looked at, and what the answers mean. Judging is apart from asking, so that every
//! answer that a registry could give can be held against it.

mod clock;
mod configuration;
mod discovery;
mod finding;
mod keys;
mod providers;
mod storage;
mod visit;

pub use clock::judge as judge_clock;
pub use configuration::judge as judge_configuration;
pub use discovery::judge as judge_discovery;
pub use finding::{Check, Finding, Outcome, chain};
pub use keys::judge as judge_keys;
pub use providers::{Listed, UNKNOWN, judge_health, judge_hostname, judge_listing, versions_url};
pub use storage::{Seen, look};
pub use visit::{Answer, Unanswered, Visitor, VisitorError, judge as judge_visit};
