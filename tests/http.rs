//! What every route answers, to the byte, from memory and from the Worker in workerd alike.

use yuba_tests::content::Content;
use yuba_tests::exchange::{servers, transcript};

/// Asks every registry the same, and holds each against the same transcript.
macro_rules! assert_transcript {
    ([$($ask:expr),+ $(,)?], @$snapshot:literal) => {
        for mut server in servers(&Content::sample()) {
            eprintln!("{}", server.name());
            let transcript = transcript(server.as_mut(), &[$($ask),+]);
            insta::allow_duplicates! { insta::assert_snapshot!(transcript, @$snapshot) };
        }
    };
}

#[test]
fn discovery_announces_the_registry_protocol() {
    assert_transcript!(["GET /.well-known/terraform.json", "HEAD /.well-known/terraform.json"], @"");
}

#[test]
fn health_is_that_kv_and_r2_answer() {
    assert_transcript!(["GET /healthz"], @"");
}

#[test]
fn versions_lists_what_was_published_and_warns() {
    assert_transcript!([
        "GET /v1/providers/acme/dns/versions",
        "HEAD /v1/providers/acme/dns/versions",
        "GET /v1/providers/stra%C3%9Fe/%E3%81%BB%E3%81%92/versions?cache=no",
    ], @"");
}

#[test]
fn download_describes_one_package() {
    assert_transcript!([
        "GET /v1/providers/acme/dns/1.1.0/download/linux/amd64",
        "GET /v1/providers/acme/dns/2.0.0-rc.1+build.7/download/linux/amd64",
        "GET /v1/providers/stra%C3%9Fe/%E3%81%BB%E3%81%92/1.0.0/download/linux/amd64",
    ], @"");
}

#[test]
fn a_plus_may_be_percent_encoded() {
    assert_transcript!(["HEAD /v1/providers/acme/dns/2.0.0-rc.1%2Bbuild.7/download/linux/amd64"], @"");
}

#[test]
fn signed_files_are_served_as_they_were_signed() {
    assert_transcript!([
        "GET /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS",
        "HEAD /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS.sig",
        "GET /releases/mirrored.example/acme/dns/3.0.0/terraform-provider-dns_3.0.0_SHA256SUMS",
    ], @"");
}

/// An archive of 1.1.0 in the sample, by its content.
macro_rules! archive {
    () => {
        "/releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip"
    };
}

#[test]
fn archives_are_served_whole_and_in_part() {
    assert_transcript!([
        concat!("GET ", archive!()),
        concat!("HEAD ", archive!()),
        concat!("GET ", archive!(), " | range: bytes=0-6"),
        concat!("GET ", archive!(), " | range: bytes=-5"),
        concat!("GET ", archive!(), " | range: bytes=11-"),
        concat!("HEAD ", archive!(), " | range: bytes=11-"),
        concat!("GET ", archive!(), " | range: bytes=0-1,3-4"),
        concat!("GET ", archive!(), " | range: lines=1-2"),
        concat!("GET ", archive!(), " | range: bytes=51-"),
    ], @"");
}

#[test]
fn archives_are_sent_only_to_those_who_lack_them() {
    assert_transcript!([
        concat!("GET ", archive!(), " | if-none-match: \"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\""),
        concat!("GET ", archive!(), " | if-none-match: W/\"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\""),
        concat!("GET ", archive!(), " | if-none-match: \"other\""),
        concat!("GET ", archive!(), " | range: bytes=0-6 | if-range: \"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\""),
        concat!("GET ", archive!(), " | range: bytes=0-6 | if-range: \"other\""),
    ], @"");
}

#[test]
fn an_archive_is_served_only_under_an_address_that_lists_it() {
    assert_transcript!([
        "GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_windows_386.zip",
        "GET /releases/localhost/acme/dns/1.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.0.0_linux_amd64.zip",
        "GET /releases/localhost/acme/dns/1.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip",
        "GET /releases/mirrored.example/acme/dns/3.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_3.0.0_linux_amd64.zip",
        "GET /releases/localhost/secret/dns/1.0.0/12840a3a9c190f8f82c4998b9f0a4de61896dcc6d8cc258b65bfeb83a1841522/terraform-provider-dns_1.0.0_linux_amd64.zip",
        "GET /releases/localhost/acme/dns/1.1.0/0000000000000000000000000000000000000000000000000000000000000000/terraform-provider-dns_1.1.0_linux_amd64.zip",
    ], @"");
}

#[test]
fn the_mirror_serves_every_hostname() {
    assert_transcript!([
        "GET /mirror/localhost/acme/dns/index.json",
        "GET /mirror/localhost/acme/dns/1.1.0.json",
        "GET /mirror/mirrored.example/acme/dns/index.json",
        "GET /mirror/mirrored.example/acme/dns/3.0.0.json",
    ], @"");
}

#[test]
fn an_unknown_version_falls_through_to_the_client_s_next_source() {
    assert_transcript!([
        "GET /mirror/localhost/acme/dns/9.9.9.json",
        "GET /mirror/elsewhere.example/acme/dns/1.0.0.json",
        "GET /mirror/elsewhere.example/acme/dns/index.json",
    ], @"");
}

#[test]
fn what_is_not_there_is_named() {
    assert_transcript!([
        "GET /v1/providers/acme/nothing/versions",
        "GET /v1/providers/nowhere/dns/versions",
        "GET /v1/providers/acme/dns/9.9.9/download/linux/amd64",
        "GET /v1/providers/acme/dns/1.1.0/download/plan9/amd64",
        "GET /releases/localhost/acme/dns/9.9.9/terraform-provider-dns_9.9.9_SHA256SUMS",
        "HEAD /v1/providers/acme/nothing/versions",
    ], @"");
}

#[test]
fn a_namespace_that_is_not_public_is_not_there() {
    assert_transcript!([
        "GET /v1/providers/secret/dns/versions",
        "GET /v1/providers/secret/dns/1.0.0/download/linux/amd64",
        "GET /mirror/localhost/secret/dns/index.json",
        "GET /mirror/localhost/secret/dns/1.0.0.json",
        "GET /releases/localhost/secret/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS",
        "GET /v1/providers/nobody/dns/versions",
    ], @"");
}

#[test]
fn other_hosts_providers_are_not_this_registry_s() {
    assert_transcript!([
        "GET /v1/providers/acme/dns/3.0.0/download/linux/amd64",
    ], @"");
}

#[test]
fn paths_outside_the_grammar_are_refused() {
    assert_transcript!([
        "GET /",
        "GET /v1/providers/Acme/dns/versions",
        "GET /v1/providers/acme/terraform-dns/versions",
        "GET /v1/providers/acme/dns/v1.0.0/download/linux/amd64",
        "GET /v1/providers/acme/dns/1.0.0/download/linux/%2E%2E",
        "GET /mirror/localhost/acme/dns/latest.json",
    ], @"");
}

#[test]
fn nothing_but_reading_is_allowed() {
    assert_transcript!([
        "POST /v1/providers/acme/dns/versions",
        "DELETE /v1/providers/acme/dns/versions",
        "PUT /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS",
        "OPTIONS /healthz",
        "PATCH /nowhere",
    ], @"");
}
