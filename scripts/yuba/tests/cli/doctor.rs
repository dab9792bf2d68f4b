//! `yuba doctor`, against a web site on this machine. The Worker itself is looked at in `tests/doctor.rs`.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use insta::assert_snapshot;
use yuba_tests::cloudflare::{ACCOUNT, Cloudflare, Permission};
use yuba_tests::releases::{Key, Release};

use crate::sandbox::Sandbox;
use crate::site::{Page, Site};

const CONFIGURED: &str = r#"
routes = [{ pattern = "registry.example", custom_domain = true }]
[vars]
REGISTRY_HOSTNAME = "registry.example"
[[kv_namespaces]]
binding = "METADATA"
id = "0f2ac74b498b48028cb68387c421e279"
[[r2_buckets]]
binding = "ARCHIVES"
bucket_name = "yuba-archives"
"#;

fn json(status: u16, body: &str) -> (u16, String) {
    let date = jiff::fmt::rfc2822::DateTimePrinter::new();
    let date = date.timestamp_to_rfc9110_string(&jiff::Timestamp::now()).unwrap();
    (status, format!("date: {date}\r\ncontent-type: application/json\r\n\r\n{body}"))
}

/// What yuba answers.
fn well(host: &str, path: &str) -> (u16, String) {
    match path {
        "/.well-known/terraform.json" => json(200, r#"{"providers.v1":"/v1/providers/"}"#),
        "/healthz" => json(200, r#"{"status":"ok"}"#),
        path => {
            let provider = path.trim_start_matches("/v1/providers/").trim_end_matches("/versions");
            json(404, &format!(r#"{{"errors":["provider `{host}/{provider}` was not found"]}}"#))
        }
    }
}

/// What yuba answers with another hostname, and while storage fails.
fn unwell(_: &str, path: &str) -> (u16, String) {
    match path {
        "/healthz" => json(503, r#"{"errors":["the registry's storage does not answer; try again shortly"]}"#),
        path => well("localhost", path),
    }
}

/// What yuba answers that announces OCI repositories.
fn with_repositories(host: &str, path: &str) -> (u16, String) {
    match path {
        "/.well-known/terraform.json" => {
            let template = format!("{host}/{{namespace}}/{{type}}");
            json(200, &format!(r#"{{"providers.v1":"/v1/providers/","oci-providers.v1":"{template}"}}"#))
        }
        path => well(host, path),
    }
}

/// What something before yuba makes of that.
fn with_wrong_repositories(host: &str, path: &str) -> (u16, String) {
    match path {
        "/.well-known/terraform.json" => {
            json(200, r#"{"providers.v1":"/v1/providers/","oci-providers.v1":"https://oci.example/v2/"}"#)
        }
        path => well(host, path),
    }
}

fn without_slash(_: &str, _: &str) -> (u16, String) {
    let body = r#"{"providers.v1":"/v1/providers"}"#;
    (200, format!("date: Thu, 01 Jan 1998 00:00:00 GMT\r\ncontent-type: application/json\r\n\r\n{body}"))
}

fn other_site(_: &str, path: &str) -> (u16, String) {
    match path {
        "/.well-known/terraform.json" => (301, "location: /not/here\r\n\r\n".to_owned()),
        _ => (404, "content-type: text/html\r\n\r\n<h1>Not here</h1>".to_owned()),
    }
}

fn round_and_round(_: &str, path: &str) -> (u16, String) {
    (302, format!("location: {path}\r\n\r\n"))
}

fn broken(_: &str, _: &str) -> (u16, String) {
    (200, "content-length: 100\r\n\r\n{".to_owned())
}

/// A sandbox that trusts `site`.
fn sandbox(site: &Site) -> Sandbox {
    let sandbox = Sandbox::new();
    let authority = sandbox.path().join("ca.pem");
    site.write_authority(&authority);
    let sandbox = sandbox.set("SSL_CERT_FILE", authority.to_str().unwrap());
    sandbox.write("wrangler.toml", CONFIGURED);
    sandbox
}

fn examined(page: Page, arguments: &[&str]) -> String {
    let site = Site::serve(page);
    let printed = sandbox(&site).run(&[&["doctor", "--hostname", &site.host], arguments].concat());
    printed.replace(&site.host, "localhost:PORT")
}

#[test]
fn a_registry_that_is_well_is_found_so() {
    assert_snapshot!(examined(well, &[]), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    ok       https          localhost:PORT answers with a valid certificate
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost:PORT
    ok       clock          within 60 seconds of the registry's
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    no problems, 1 warning
    -- exit 0
    ");
    assert_snapshot!(examined(well, &["--format", "json"]), @r#"
    $ yuba doctor --hostname localhost:PORT --format json
    -- stdout
    {
      "status": "warning",
      "url": "https://localhost:PORT/",
      "checks": [
        {
          "check": "configuration",
          "outcome": "ok",
          "message": "ARCHIVES and METADATA are bound",
          "hint": null
        },
        {
          "check": "route",
          "outcome": "ok",
          "message": "registry.example is a custom domain of the Worker",
          "hint": null
        },
        {
          "check": "credentials",
          "outcome": "warning",
          "message": "CLOUDFLARE_API_TOKEN is not set",
          "hint": "make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it"
        },
        {
          "check": "r2",
          "outcome": "skipped",
          "message": "there is no way to it",
          "hint": null
        },
        {
          "check": "kv",
          "outcome": "skipped",
          "message": "there is no way to it",
          "hint": null
        },
        {
          "check": "https",
          "outcome": "ok",
          "message": "localhost:PORT answers with a valid certificate",
          "hint": null
        },
        {
          "check": "discovery",
          "outcome": "ok",
          "message": "clients find the provider registry at https://localhost:PORT/v1/providers/",
          "hint": null
        },
        {
          "check": "health",
          "outcome": "ok",
          "message": "the Worker reaches KV and R2",
          "hint": null
        },
        {
          "check": "providers",
          "outcome": "ok",
          "message": "the Worker answers for localhost:PORT",
          "hint": null
        },
        {
          "check": "clock",
          "outcome": "ok",
          "message": "within 60 seconds of the registry's",
          "hint": null
        },
        {
          "check": "keys",
          "outcome": "skipped",
          "message": "no namespace is known; the first `yuba key add` makes one",
          "hint": null
        }
      ]
    }
    -- exit 0
    "#);
}

#[test]
fn oci_repositories_are_told_and_keep_nobody_away() {
    let told = |page: Page| {
        let printed = examined(page, &[]);
        let from = printed.find("discovery  ").map(|at| printed[..at].rfind('\n').unwrap() + 1).unwrap();
        printed[from..].to_owned()
    };
    assert_snapshot!(told(with_repositories), @"
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    ok       discovery      announces OCI repositories as localhost:PORT/{namespace}/{type}
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost:PORT
    ok       clock          within 60 seconds of the registry's
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    no problems, 1 warning
    -- exit 0
    ");
    assert_snapshot!(told(with_wrong_repositories), @"
    warning  discovery      announces `oci-providers.v1`, but `https://oci.example/v2/` is no template of an OCI repository: HOST/PATH in lower case, with {namespace} and {type} once each in the path
                            hint: set OCI_PROVIDERS in wrangler.toml to HOST/PATH with {namespace} and {type} in its path, or take it out, and deploy: `npx wrangler deploy`
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost:PORT
    ok       clock          within 60 seconds of the registry's
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    no problems, 2 warnings
    -- exit 0
    ");
}

#[test]
fn oci_repositories_in_the_configuration_are_a_template() {
    let site = Site::serve(with_repositories);
    let sandbox = sandbox(&site);
    let configured =
        |template: &str| CONFIGURED.replace("[vars]\n", &format!("[vars]\nOCI_PROVIDERS = \"{template}\"\n"));
    let mut text = String::new();
    for template in
        ["oci.example/acme/{namespace}-{type}", "oci.example/acme", "https://oci.example/{namespace}/{type}"]
    {
        sandbox.write("wrangler.toml", &configured(template));
        let printed = sandbox.run(&["doctor", "--hostname", &site.host]);
        let lines = printed.lines().skip_while(|line| !line.contains(" configuration "));
        text.extend(lines.take_while(|line| !line.contains(" route ")).flat_map(|line| [line, "\n"]));
    }
    assert_snapshot!(text, @"
    ok       configuration  ARCHIVES and METADATA are bound
    problem  configuration  OCI_PROVIDERS: `oci.example/acme` is no template of an OCI repository: HOST/PATH in lower case, with {namespace} and {type} once each in the path
                            hint: take it out, which announces the registry's own repositories, or name others: `oci.example/acme/{namespace}-{type}`
    problem  configuration  OCI_PROVIDERS: `https://oci.example/{namespace}/{type}` is no template of an OCI repository: HOST/PATH in lower case, with {namespace} and {type} once each in the path
                            hint: take it out, which announces the registry's own repositories, or name others: `oci.example/acme/{namespace}-{type}`
    ");
}

#[test]
fn whatever_is_wrong_every_check_is_made() {
    assert_snapshot!(examined(unwell, &[]), @r#"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    ok       https          localhost:PORT answers with a valid certificate
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    problem  health         the Worker does not reach its storage: {"errors":["the registry's storage does not answer; try again shortly"]}
                            hint: see what it says with `npx wrangler tail`: the bucket and the namespace that wrangler.toml binds must exist
    problem  providers      the Worker answers for `localhost`, not for `localhost:PORT`
                            hint: deploy what wrangler.toml says: `npx wrangler deploy`
    ok       clock          within 60 seconds of the registry's
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    2 problems, 1 warning
    -- exit 1
    "#);
    // How far the clock is off depends on when this runs.
    let printed = examined(without_slash, &[]);
    let (off, told) = printed.lines().partition::<Vec<_>, _>(|line| line.contains("this machine's clock is"));
    assert!(off.iter().all(|line| line.starts_with("problem  clock ")) && off.len() == 1, "{printed}");
    assert_snapshot!(told.join("\n"), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    ok       https          localhost:PORT answers with a valid certificate
    problem  discovery      announces `/v1/providers` without a slash at its end
                            hint: deploy the Worker again: `npx wrangler deploy`
    ok       health         the Worker reaches KV and R2
    skipped  providers      clients do not find the provider registry protocol
                            hint: set this machine's clock, and keep it set by NTP
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    2 problems, 1 warning
    -- exit 1
    ");
    assert_snapshot!(examined(other_site, &[]), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    ok       https          localhost:PORT answers with a valid certificate
    problem  discovery      is answered with 404: the host offers no services; it says: <h1>Not here</h1>
                            hint: another Worker or site has this hostname: see its domains and routes in the dashboard
    problem  health         /healthz is answered with 404: it is not yuba that answers
                            hint: another Worker or site has this hostname: see its domains and routes in the dashboard
    skipped  providers      clients do not find the provider registry protocol
    skipped  clock          no server told its time
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    2 problems, 1 warning
    -- exit 1
    ");
    assert_snapshot!(examined(round_and_round, &[]), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    problem  https          localhost:PORT: more than 10 redirects
                            hint: look for a redirect rule or a page rule for this hostname in the dashboard
    skipped  discovery      the registry cannot be asked
    skipped  health         the registry cannot be asked
    skipped  providers      the registry cannot be asked
    skipped  clock          the registry cannot be asked
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, 1 warning
    -- exit 1
    ");
    assert_snapshot!(examined(broken, &[]), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    problem  https          localhost:PORT: no whole answer: end of file before message length reached
                            hint: try again; `npx wrangler tail` shows what the Worker says
    skipped  discovery      the registry cannot be asked
    skipped  health         the registry cannot be asked
    skipped  providers      the registry cannot be asked
    skipped  clock          the registry cannot be asked
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, 1 warning
    -- exit 1
    ");
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_a_problem() {
    let (site, stranger) = (Site::serve(well), Site::serve(well));
    let printed = sandbox(&stranger).run(&["doctor", "--hostname", &site.host]);
    assert_snapshot!(printed.replace(&site.host, "localhost:PORT"), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    problem  https          localhost:PORT: TLS fails: invalid peer certificate: BadSignature
                            hint: Cloudflare issues the certificate some minutes after the first deployment; see Workers & Pages > yuba > Domains in the dashboard, and this machine's clock
    skipped  discovery      the registry cannot be asked
    skipped  health         the registry cannot be asked
    skipped  providers      the registry cannot be asked
    skipped  clock          the registry cannot be asked
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, 1 warning
    -- exit 1
    ");
}

#[test]
fn a_host_that_nobody_serves_is_a_problem() {
    let host = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("localhost:{}", listener.local_addr().unwrap().port())
    };
    let printed = sandbox(&Site::serve(well)).run(&["doctor", "--hostname", &host]);
    assert_snapshot!(printed.replace(&host, "localhost:PORT"), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    problem  https          localhost:PORT: cannot connect: Connection refused (os error 111)
                            hint: check this machine's network, and that the DNS record is Cloudflare's (proxied)
    skipped  discovery      the registry cannot be asked
    skipped  health         the registry cannot be asked
    skipped  providers      the registry cannot be asked
    skipped  clock          the registry cannot be asked
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, 1 warning
    -- exit 1
    ");
}

/// The double refuses every token, as Cloudflare refuses one that is none.
#[test]
fn credentials_that_are_refused_are_a_problem() {
    let api = refusing_api();
    let site = Site::serve(well);
    let sandbox = sandbox(&site).set("CLOUDFLARE_API_TOKEN", "s3cr3t").set("YUBA_CLOUDFLARE_API_URL", &api);
    let account = "023e105f4ecef8ad9ca31a8372d0c353";
    let mut text = sandbox.run(&["doctor", "--hostname", &site.host]);
    let sandbox = sandbox.set("CLOUDFLARE_ACCOUNT_ID", account);
    text += &sandbox.run(&["doctor", "--hostname", &site.host]);
    assert!(!text.contains("s3cr3t"), "{text}");
    assert_snapshot!(text.replace(&site.host, "localhost:PORT"), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    problem  credentials    the account is not known: CLOUDFLARE_ACCOUNT_ID is not set
                            hint: set CLOUDFLARE_ACCOUNT_ID, or `account_id` in `wrangler.toml`; the dashboard shows it, and so does `npx wrangler whoami`
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    ok       https          localhost:PORT answers with a valid certificate
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost:PORT
    ok       clock          within 60 seconds of the registry's
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, no warnings
    -- exit 1
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    problem  credentials    cannot verify the API token: Cloudflare does not accept the API token: 1000: Invalid API Token
                            hint: check CLOUDFLARE_API_TOKEN: the dashboard shows under My Profile > API Tokens, or the account's, whether it is active
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    ok       https          localhost:PORT answers with a valid certificate
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost:PORT
    ok       clock          within 60 seconds of the registry's
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, no warnings
    -- stderr
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    -- exit 1
    ");
}

/// With an S3 server and a double of the API, through which a key and a release were published.
#[test]
fn permissions_are_tried() {
    let cloudflare = match Cloudflare::start() {
        Ok(cloudflare) => cloudflare,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let site = Site::serve(publishing);
    let sandbox = sandbox(&site).at(&cloudflare);
    sandbox.write("wrangler.toml", &format!("account_id = \"{ACCOUNT}\"\n{CONFIGURED}"));
    let key = Key::new("acme");
    sandbox.write("KEY.asc", &key.ascii_armor());
    sandbox.release("dist", Release::new("dns", "1.0.0", &key));
    let host = ["--hostname", site.host.as_str()];
    for command in [&["key", "add", "--namespace", "acme", "KEY.asc"][..], &["publish", "dist", "--namespace", "acme"]]
    {
        let printed = sandbox.run(&[command, &host].concat());
        assert!(printed.ends_with("-- exit 0\n"), "{printed}");
    }
    let doctor = || sandbox.run(&[&["doctor"][..], &host].concat()).replace(&site.host, "localhost:PORT");
    assert_snapshot!(doctor(), @r"
    $ yuba doctor --hostname localhost:PORT
    -- stdout
    ok       configuration  ARCHIVES and METADATA are bound
    ok       route          registry.example is a custom domain of the Worker
    ok       credentials    Cloudflare accepts them
    ok       r2             can be read and written
    ok       kv             can be read and written
    ok       https          localhost:PORT answers with a valid certificate
    ok       discovery      clients find the provider registry at https://localhost:PORT/v1/providers/
    ok       health         the Worker reaches KV and R2
    ok       providers      the Worker answers for localhost:PORT
    ok       providers      localhost:PORT/acme/dns 1.0.0 is listed
    ok       clock          within 60 seconds of the registry's
    ok       keys           namespace `acme` has 1 key, good for ever

    no problems, no warnings
    -- stderr
    target: cloudflare (bucket yuba-archives, KV namespace 0f2ac74b498b48028cb68387c421e279)
    -- exit 0
    ");
    let mut text = String::new();
    for permission in [Permission::Read, Permission::None] {
        cloudflare.r2.permit(permission);
        text += &storage(&doctor());
    }
    cloudflare.r2.permit(Permission::Edit);
    let other = CONFIGURED.replace("0f2ac74b498b48028cb68387c421e279", "ffffffffffffffffffffffffffffffff");
    sandbox.write("wrangler.toml", &format!("account_id = \"{ACCOUNT}\"\n{}", other.replace("yuba-archives", "other")));
    text += &storage(&doctor());
    assert_snapshot!(text, @r"
    ok       credentials    Cloudflare accepts them
    problem  r2             cannot delete `trash/sha256/[1]`: R2 refuses this to the token: it lacks the permission `Workers R2 Storage: Edit` for bucket `yuba-archives` (AccessDenied: Access Denied)
                            hint: add `Workers R2 Storage: Edit` to the token (the dashboard: My Profile > API Tokens), or `Object Read & Write` for this bucket to the R2 token; check that the account id is the bucket's
    ok       kv             can be read and written
    ok       credentials    Cloudflare accepts them
    problem  r2             cannot read `meta/index`: R2 refuses this to the token: it lacks the permission `Workers R2 Storage: Edit` for bucket `yuba-archives` (AccessDenied: Access Denied)
                            hint: add `Workers R2 Storage: Edit` to the token (the dashboard: My Profile > API Tokens), or `Object Read & Write` for this bucket to the R2 token; check that the account id is the bucket's
    ok       kv             can be read and written
    ok       credentials    Cloudflare accepts them
    problem  r2             cannot read `meta/index`: account `023e105f4ecef8ad9ca31a8372d0c353` has no bucket `other`
                            hint: check the binding `ARCHIVES` and its jurisdiction, or make the bucket: npx wrangler r2 bucket create other
    problem  kv             cannot read the KV copy `index`: account `023e105f4ecef8ad9ca31a8372d0c353` has no KV namespace `ffffffffffffffffffffffffffffffff`
                            hint: check the binding `METADATA`: `npx wrangler kv namespace list` shows the ids there are, `npx wrangler kv namespace create METADATA` makes one
    ");
}

/// What yuba answers once the release is published.
fn publishing(host: &str, path: &str) -> (u16, String) {
    match path {
        "/v1/providers/acme/dns/versions" => json(200, r#"{"versions":[{"version":"1.0.0"}]}"#),
        path => well(host, path),
    }
}

/// The lines about storage, with their hints.
fn storage(printed: &str) -> String {
    let lines: Vec<_> = printed.lines().skip_while(|line| !line.contains(" credentials ")).collect();
    let lines = lines.into_iter().take_while(|line| !line.contains(" https "));
    lines.map(|line| [line, "\n"].concat()).collect()
}

fn refusing_api() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let body =
        r#"{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}],"messages":[],"result":null}"#;
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let length = body.len();
            write!(stream, "HTTP/1.1 401 No\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        }
    });
    url
}

#[test]
fn what_is_not_configured_is_told_with_what_else_there_is() {
    let sandbox = Sandbox::new();
    let mut text = sandbox.run(&["doctor"]);
    text += &sandbox.run(&["doctor", "--target", "dir:registry"]);
    sandbox.write("wrangler.toml", include_str!("../wrangler.toml"));
    text += &sandbox.run(&["doctor"]);
    sandbox.write("wrangler.toml", "name = ");
    text += &sandbox.run(&["doctor"]);
    assert_snapshot!(text, @r"
    $ yuba doctor
    -- stderr
    error: the registry's hostname is not known
    hint: name it with `--hostname HOST`, or run this where `wrangler.toml` is here or above
    -- exit 1
    $ yuba doctor --target dir:registry
    -- stderr
    error: a directory is served by nobody, so no client sees it
    hint: check the deployed registry (no `--target`), or what `scripts/dev` serves (`--target local`)
    -- exit 1
    $ yuba doctor
    -- stdout
    problem  configuration  REGISTRY_HOSTNAME: `localhost` is no domain that clients elsewhere can reach
                            hint: run `yuba init`, which creates what is missing and writes it into wrangler.toml
    problem  configuration  binding METADATA: `metadata` is no KV namespace id: 32 hexadecimal digits
                            hint: run `yuba init`, which creates what is missing and writes it into wrangler.toml
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    skipped  https          no hostname is configured that clients could reach
    skipped  discovery      the registry cannot be asked
    skipped  health         the registry cannot be asked
    skipped  providers      the registry cannot be asked
    skipped  clock          the registry cannot be asked
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    2 problems, 1 warning
    -- exit 1
    $ yuba doctor
    -- stdout
    problem  configuration  cannot understand `[DIR]/wrangler.toml`: TOML parse error at line 1, column 8
      |
    1 | name = 
      |        ^
    string values must be quoted, expected literal string
                            hint: mend the file, or start from the project's own: git checkout wrangler.toml
    warning  credentials    CLOUDFLARE_API_TOKEN is not set
                            hint: make a token with the permissions `Workers R2 Storage: Edit` and `Workers KV Storage: Edit` under My Profile > API Tokens, and set CLOUDFLARE_API_TOKEN to it
    skipped  r2             there is no way to it
    skipped  kv             there is no way to it
    skipped  https          no hostname is configured that clients could reach
    skipped  discovery      the registry cannot be asked
    skipped  health         the registry cannot be asked
    skipped  providers      the registry cannot be asked
    skipped  clock          the registry cannot be asked
    skipped  keys           no namespace is known; the first `yuba key add` makes one

    1 problem, 1 warning
    -- exit 1
    ");
}
