//! Rows about service discovery.

use crate::verify::check::area;

area! {
    "Discovery";

    DISCOVERY_STATUS = "YR001" "discovery-status", Refuse Refuse,
        proves "The host answers `/.well-known/terraform.json` with 200.",
        matters "Clients find no registry on the host, and install nothing from it.",
        remedy "Deploy the Worker on this hostname, and let no other rule or login page answer this path.";
    DISCOVERY_TYPE = "YR002" "discovery-type", Refuse Refuse,
        proves "The discovery document has the content type `application/json`.",
        matters "Clients read no other; this is the one document besides the mirror's whose content type they check.",
        remedy "Find what sits before the registry and changes `Content-Type`: yuba sends the right one.";
    DISCOVERY_DOCUMENT = "YR003" "discovery-document", Refuse Refuse,
        proves "The discovery document is a JSON object of at most 1 MiB.",
        matters "Clients read no more, and nothing else.",
        remedy "Let the registry itself answer this path.";
    DISCOVERY_SERVICE = "YR004" "discovery-service", Refuse Refuse,
        proves "The discovery document announces `providers.v1` as a text.",
        matters "Clients take a host without it for one that has no providers.",
        remedy "Let the registry itself answer this path; beside other services, merge its `providers.v1` into theirs.";
    DISCOVERY_URL = "YR005" "discovery-url", Refuse Refuse,
        proves "The announced URL is an http or https one without user name or password, absolute or relative.",
        matters "Clients refuse any other.",
        remedy "Announce a path such as `/v1/providers/`.";
    DISCOVERY_SLASH = "YR006" "discovery-slash", Refuse Refuse,
        proves "The announced URL ends in a slash.",
        matters "Clients drop what follows the last slash, and then ask for paths that are not there.",
        remedy "Announce it with the slash: `/v1/providers/`.";
    DISCOVERY_OCI = "YR043" "discovery-oci", Warn Warn,
        proves "`oci-providers.v1`, if it is announced, is HOST/PATH with `{namespace}` and `{type}` once each in its path.",
        matters "It says where the OCI repositories of the registry's own providers are; anything else names none.",
        remedy "Set the Worker's variable OCI_PROVIDERS to such a template, or take it out, and deploy.";
}
