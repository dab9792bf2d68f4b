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
    assert_transcript!(["GET /.well-known/terraform.json", "HEAD /.well-known/terraform.json"], @r#"
    > GET /.well-known/terraform.json
    200
    cache-control: public, max-age=300
    content-length: 90
    content-type: application/json
    etag: "2fb90de7903903941e3715c87b84983c13db71655f9475096dd0be098c3c3f16"

    {"providers.v1":"/v1/providers/","oci-providers.v1":"registry.example/{namespace}/{type}"}

    > HEAD /.well-known/terraform.json
    200
    cache-control: public, max-age=300
    content-length: 90
    content-type: application/json
    etag: "2fb90de7903903941e3715c87b84983c13db71655f9475096dd0be098c3c3f16"
    "#);
}

#[test]
fn health_is_that_kv_and_r2_answer() {
    assert_transcript!(["GET /healthz"], @r#"
    > GET /healthz
    200
    cache-control: no-store
    content-length: 15
    content-type: application/json
    etag: "a29ee2b15c494311c52521766e44af56a3ad2248e7a8ab465e5206463c13d288"

    {"status":"ok"}
    "#);
}

#[test]
fn versions_lists_what_was_published_and_warns() {
    assert_transcript!([
        "GET /v1/providers/acme/dns/versions",
        "HEAD /v1/providers/acme/dns/versions",
        "GET /v1/providers/stra%C3%9Fe/%E3%81%BB%E3%81%92/versions?cache=no",
    ], @r#"
    > GET /v1/providers/acme/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 411
    content-type: application/json
    etag: "cb7047e1431183e6a658bf1517d4b3f53fc6783e17fc91dbdbd5925546ea6109"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"darwin","arch":"arm64"},{"os":"linux","arch":"amd64"},{"os":"windows","arch":"386"}]},{"version":"2.0.0-rc.1+build.7","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":["version 1.0.0 is withdrawn: it loses records; use 1.1.0"]}

    > HEAD /v1/providers/acme/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 411
    content-type: application/json
    etag: "cb7047e1431183e6a658bf1517d4b3f53fc6783e17fc91dbdbd5925546ea6109"

    > GET /v1/providers/stra%C3%9Fe/%E3%81%BB%E3%81%92/versions?cache=no
    200
    cache-control: public, max-age=5
    content-length: 112
    content-type: application/json
    etag: "13bea427a60ae22b4a7afa79901491ddbcb5c8f7f7159397f414ca2a2de87073"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":[]}
    "#);
}

#[test]
fn download_describes_one_package() {
    assert_transcript!([
        "GET /v1/providers/acme/dns/1.1.0/download/linux/amd64",
        "GET /v1/providers/acme/dns/2.0.0-rc.1+build.7/download/linux/amd64",
        "GET /v1/providers/stra%C3%9Fe/%E3%81%BB%E3%81%92/1.0.0/download/linux/amd64",
    ], @r#"
    > GET /v1/providers/acme/dns/1.1.0/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1365
    content-type: application/json
    etag: "fa1dda9ac3de14caa631ce80cb0abedaf0421b8219297d6ca7d8e4cfc325ebc4"

    {"protocols":["6.0"],"os":"linux","arch":"amd64","filename":"terraform-provider-dns_1.1.0_linux_amd64.zip","download_url":"https://registry.example/releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip","shasums_url":"https://registry.example/releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS","shasums_signature_url":"https://registry.example/releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS.sig","shasum":"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae","signing_keys":{"gpg_public_keys":[{"key_id":"51852D87348FFC4C","ascii_armor":"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n…\n-----END PGP PUBLIC KEY BLOCK-----\n","trust_signature":"","source":"Acme","source_url":"https://acme.example/keys"}]},"packages":{"darwin_arm64":{"hashes":["zh:84d1b3dab3ea07de784d01dba67124efa2e71e3e2c1e4dab08bb531eb3d91bd8","h1:ijTdOI7rrCD1iWtZ4nqHoM4QM+UxiM+hMiJ5qVCG3FU="],"package_size":52},"linux_amd64":{"hashes":["zh:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae","h1:s/qXoeKW536pGyomoF0y17SVRejtGSh4Pw5B6LTDL7Y="],"package_size":51},"windows_386":{"hashes":["zh:96e57f382d95a7b277c5ba2f6cf692510c925169e4f386ca148fb35aa31bcd9a","h1:FqQhFKvDcHNwlfRvKWHmBA4h+z8++jqjaj4VUae/4yE="],"package_size":51}}}

    > GET /v1/providers/acme/dns/2.0.0-rc.1+build.7/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1125
    content-type: application/json
    etag: "80c71e4780356c567580c88f2f6ad89e64249aba4331a07d252e87facf18b634"

    {"protocols":["6.0"],"os":"linux","arch":"amd64","filename":"terraform-provider-dns_2.0.0-rc.1+build.7_linux_amd64.zip","download_url":"https://registry.example/releases/localhost/acme/dns/2.0.0-rc.1+build.7/8bf15b394de3f5d361f5e9fcdbdbcf8c41f13dd5c844ac07fead5309814ca4f4/terraform-provider-dns_2.0.0-rc.1+build.7_linux_amd64.zip","shasums_url":"https://registry.example/releases/localhost/acme/dns/2.0.0-rc.1+build.7/terraform-provider-dns_2.0.0-rc.1+build.7_SHA256SUMS","shasums_signature_url":"https://registry.example/releases/localhost/acme/dns/2.0.0-rc.1+build.7/terraform-provider-dns_2.0.0-rc.1+build.7_SHA256SUMS.sig","shasum":"8bf15b394de3f5d361f5e9fcdbdbcf8c41f13dd5c844ac07fead5309814ca4f4","signing_keys":{"gpg_public_keys":[{"key_id":"51852D87348FFC4C","ascii_armor":"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n…\n-----END PGP PUBLIC KEY BLOCK-----\n","trust_signature":"","source":"Acme","source_url":"https://acme.example/keys"}]},"packages":{"linux_amd64":{"hashes":["zh:8bf15b394de3f5d361f5e9fcdbdbcf8c41f13dd5c844ac07fead5309814ca4f4","h1:hKSsVKniGOMcL+8SNNoUBwAYgg8BSxquL50eUZt2tRw="],"package_size":64}}}

    > GET /v1/providers/stra%C3%9Fe/%E3%81%BB%E3%81%92/1.0.0/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1148
    content-type: application/json
    etag: "73250f30a120611e4001fdc9a7950a1669f63bc1ea925d15cb272292559cd2fb"

    {"protocols":["6.0"],"os":"linux","arch":"amd64","filename":"terraform-provider-ほげ_1.0.0_linux_amd64.zip","download_url":"https://registry.example/releases/localhost/stra%C3%9Fe/%E3%81%BB%E3%81%92/1.0.0/122c052c677ca29944d622cd5b4e15fb72c507e6184581b1db26a867aad211a6/terraform-provider-%E3%81%BB%E3%81%92_1.0.0_linux_amd64.zip","shasums_url":"https://registry.example/releases/localhost/stra%C3%9Fe/%E3%81%BB%E3%81%92/1.0.0/terraform-provider-%E3%81%BB%E3%81%92_1.0.0_SHA256SUMS","shasums_signature_url":"https://registry.example/releases/localhost/stra%C3%9Fe/%E3%81%BB%E3%81%92/1.0.0/terraform-provider-%E3%81%BB%E3%81%92_1.0.0_SHA256SUMS.sig","shasum":"122c052c677ca29944d622cd5b4e15fb72c507e6184581b1db26a867aad211a6","signing_keys":{"gpg_public_keys":[{"key_id":"51852D87348FFC4C","ascii_armor":"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n…\n-----END PGP PUBLIC KEY BLOCK-----\n","trust_signature":"","source":"Acme","source_url":"https://acme.example/keys"}]},"packages":{"linux_amd64":{"hashes":["zh:122c052c677ca29944d622cd5b4e15fb72c507e6184581b1db26a867aad211a6","h1:by0gKKwz66eG+bCjIAutEVoE9IcA3b0V8Ce/n29mWiY="],"package_size":57}}}
    "#);
}

#[test]
fn a_plus_may_be_percent_encoded() {
    assert_transcript!(["HEAD /v1/providers/acme/dns/2.0.0-rc.1%2Bbuild.7/download/linux/amd64"], @r#"
    > HEAD /v1/providers/acme/dns/2.0.0-rc.1%2Bbuild.7/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1125
    content-type: application/json
    etag: "80c71e4780356c567580c88f2f6ad89e64249aba4331a07d252e87facf18b634"
    "#);
}

#[test]
fn signed_files_are_served_as_they_were_signed() {
    assert_transcript!([
        "GET /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS",
        "HEAD /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS.sig",
        "GET /releases/mirrored.example/acme/dns/3.0.0/terraform-provider-dns_3.0.0_SHA256SUMS",
    ], @r#"
    > GET /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS
    200
    cache-control: public, max-age=5
    content-length: 334
    content-type: text/plain; charset=utf-8
    etag: "8f8da3b1045dddf65508c01cd38d908222e68931fb9e69317b040bf6c3fab0c2"

    84d1b3dab3ea07de784d01dba67124efa2e71e3e2c1e4dab08bb531eb3d91bd8  terraform-provider-dns_1.1.0_darwin_arm64.zip
    d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae  terraform-provider-dns_1.1.0_linux_amd64.zip
    96e57f382d95a7b277c5ba2f6cf692510c925169e4f386ca148fb35aa31bcd9a  terraform-provider-dns_1.1.0_windows_386.zip

    > HEAD /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS.sig
    200
    cache-control: public, max-age=5
    content-length: 19
    content-type: application/pgp-signature
    etag: "d4cbd7f3c142fee4e1482bb20582408772d9b5e87765e20f4979e468b3f80df4"

    > GET /releases/mirrored.example/acme/dns/3.0.0/terraform-provider-dns_3.0.0_SHA256SUMS
    200
    cache-control: public, max-age=5
    content-length: 111
    content-type: text/plain; charset=utf-8
    etag: "b6798adc9bfe66f101e10ad42b30bad80881a1fc3b97feb138a1e9fa455fe4be"

    ebbb8301b1c185c57bedd880412868932b6f3b5d3fd40e89fb17c134117bf7d5  terraform-provider-dns_3.0.0_linux_amd64.zip
    "#);
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
    ], @r#"
    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive of localhost/acme/dns 1.1.0 for linux_amd64

    > HEAD /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=0-6
    206
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 7
    content-range: bytes 0-6/51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=-5
    206
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 5
    content-range: bytes 46-50/51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    amd64

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=11-
    206
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 40
    content-range: bytes 11-50/51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    localhost/acme/dns 1.1.0 for linux_amd64

    > HEAD /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=11-
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=0-1,3-4
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive of localhost/acme/dns 1.1.0 for linux_amd64

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: lines=1-2
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive of localhost/acme/dns 1.1.0 for linux_amd64

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=51-
    416
    cache-control: no-store
    content-length: 68
    content-range: bytes */51
    content-type: application/json

    {"errors":["the range asked for is outside the archive's 51 bytes"]}
    "#);
}

#[test]
fn archives_are_sent_only_to_those_who_lack_them() {
    assert_transcript!([
        concat!("GET ", archive!(), " | if-none-match: \"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\""),
        concat!("GET ", archive!(), " | if-none-match: W/\"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\""),
        concat!("GET ", archive!(), " | if-none-match: \"other\""),
        concat!("GET ", archive!(), " | range: bytes=0-6 | if-range: \"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\""),
        concat!("GET ", archive!(), " | range: bytes=0-6 | if-range: \"other\""),
    ], @r#"
    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | if-none-match: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"
    304
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | if-none-match: W/"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"
    304
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | if-none-match: "other"
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive of localhost/acme/dns 1.1.0 for linux_amd64

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=0-6 | if-range: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"
    206
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 7
    content-range: bytes 0-6/51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive

    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip | range: bytes=0-6 | if-range: "other"
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/zip
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive of localhost/acme/dns 1.1.0 for linux_amd64
    "#);
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
    ], @r#"
    > GET /releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_windows_386.zip
    404
    cache-control: no-store
    content-length: 167
    content-type: application/json

    {"errors":["archive `terraform-provider-dns_1.1.0_windows_386.zip` with the SHA-256 `d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae` was not found"]}

    > GET /releases/localhost/acme/dns/1.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.0.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 167
    content-type: application/json

    {"errors":["archive `terraform-provider-dns_1.0.0_linux_amd64.zip` with the SHA-256 `d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae` was not found"]}

    > GET /releases/localhost/acme/dns/1.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 181
    content-type: application/json

    {"errors":["there is nothing at `/releases/localhost/acme/dns/1.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip`"]}

    > GET /releases/mirrored.example/acme/dns/3.0.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_3.0.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 167
    content-type: application/json

    {"errors":["archive `terraform-provider-dns_3.0.0_linux_amd64.zip` with the SHA-256 `d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae` was not found"]}

    > GET /releases/localhost/secret/dns/1.0.0/12840a3a9c190f8f82c4998b9f0a4de61896dcc6d8cc258b65bfeb83a1841522/terraform-provider-dns_1.0.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["provider `localhost/secret/dns` was not found"]}

    > GET /releases/localhost/acme/dns/1.1.0/0000000000000000000000000000000000000000000000000000000000000000/terraform-provider-dns_1.1.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 167
    content-type: application/json

    {"errors":["archive `terraform-provider-dns_1.1.0_linux_amd64.zip` with the SHA-256 `0000000000000000000000000000000000000000000000000000000000000000` was not found"]}
    "#);
}

#[test]
fn the_mirror_serves_every_hostname() {
    assert_transcript!([
        "GET /mirror/localhost/acme/dns/index.json",
        "GET /mirror/localhost/acme/dns/1.1.0.json",
        "GET /mirror/mirrored.example/acme/dns/index.json",
        "GET /mirror/mirrored.example/acme/dns/3.0.0.json",
    ], @r#"
    > GET /mirror/localhost/acme/dns/index.json
    200
    cache-control: public, max-age=5
    content-length: 60
    content-type: application/json
    etag: "524b07500ded69c118f88230972631d7a8b3a6d910ac632f5c75ec694ac7ed31"

    {"versions":{"1.0.0":{},"1.1.0":{},"2.0.0-rc.1+build.7":{}}}

    > GET /mirror/localhost/acme/dns/1.1.0.json
    200
    cache-control: public, max-age=5
    content-length: 988
    content-type: application/json
    etag: "11eac7e152b7dce96071ab2f0f466f8eb4fda1fa185505e004ceb19115941bab"

    {"archives":{"darwin_arm64":{"url":"https://registry.example/releases/localhost/acme/dns/1.1.0/84d1b3dab3ea07de784d01dba67124efa2e71e3e2c1e4dab08bb531eb3d91bd8/terraform-provider-dns_1.1.0_darwin_arm64.zip","hashes":["zh:84d1b3dab3ea07de784d01dba67124efa2e71e3e2c1e4dab08bb531eb3d91bd8","h1:ijTdOI7rrCD1iWtZ4nqHoM4QM+UxiM+hMiJ5qVCG3FU="]},"linux_amd64":{"url":"https://registry.example/releases/localhost/acme/dns/1.1.0/d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae/terraform-provider-dns_1.1.0_linux_amd64.zip","hashes":["zh:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae","h1:s/qXoeKW536pGyomoF0y17SVRejtGSh4Pw5B6LTDL7Y="]},"windows_386":{"url":"https://registry.example/releases/localhost/acme/dns/1.1.0/96e57f382d95a7b277c5ba2f6cf692510c925169e4f386ca148fb35aa31bcd9a/terraform-provider-dns_1.1.0_windows_386.zip","hashes":["zh:96e57f382d95a7b277c5ba2f6cf692510c925169e4f386ca148fb35aa31bcd9a","h1:FqQhFKvDcHNwlfRvKWHmBA4h+z8++jqjaj4VUae/4yE="]}}}

    > GET /mirror/mirrored.example/acme/dns/index.json
    200
    cache-control: public, max-age=5
    content-length: 25
    content-type: application/json
    etag: "c1e64dd29112955dcdd509277f10b10785a92925fe7576d4fbed0218f86baaf9"

    {"versions":{"3.0.0":{}}}

    > GET /mirror/mirrored.example/acme/dns/3.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 345
    content-type: application/json
    etag: "55dbc040731d5464c2c248ff2ec8e2dd6a882ee8c581f5b52e2cda019bb811f2"

    {"archives":{"linux_amd64":{"url":"https://registry.example/releases/mirrored.example/acme/dns/3.0.0/ebbb8301b1c185c57bedd880412868932b6f3b5d3fd40e89fb17c134117bf7d5/terraform-provider-dns_3.0.0_linux_amd64.zip","hashes":["zh:ebbb8301b1c185c57bedd880412868932b6f3b5d3fd40e89fb17c134117bf7d5","h1:xz4so9kiGIa9ILC7WfzwWThFFIedutjlBtRHlbDduEs="]}}}
    "#);
}

#[test]
fn an_unknown_version_falls_through_to_the_client_s_next_source() {
    assert_transcript!([
        "GET /mirror/localhost/acme/dns/9.9.9.json",
        "GET /mirror/elsewhere.example/acme/dns/1.0.0.json",
        "GET /mirror/elsewhere.example/acme/dns/1.0.0-01.json",
        "GET /mirror/elsewhere.example/acme/dns/index.json",
    ], @r#"
    > GET /mirror/localhost/acme/dns/9.9.9.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}

    > GET /mirror/elsewhere.example/acme/dns/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}

    > GET /mirror/elsewhere.example/acme/dns/1.0.0-01.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}

    > GET /mirror/elsewhere.example/acme/dns/index.json
    404
    cache-control: no-store
    content-length: 66
    content-type: application/json

    {"errors":["provider `elsewhere.example/acme/dns` was not found"]}
    "#);
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
    ], @r#"
    > GET /v1/providers/acme/nothing/versions
    404
    cache-control: no-store
    content-length: 62
    content-type: application/json

    {"errors":["provider `localhost/acme/nothing` was not found"]}

    > GET /v1/providers/nowhere/dns/versions
    404
    cache-control: no-store
    content-length: 61
    content-type: application/json

    {"errors":["provider `localhost/nowhere/dns` was not found"]}

    > GET /v1/providers/acme/dns/9.9.9/download/linux/amd64
    404
    cache-control: no-store
    content-length: 77
    content-type: application/json

    {"errors":["version `9.9.9` of provider `localhost/acme/dns` was not found"]}

    > GET /v1/providers/acme/dns/1.1.0/download/plan9/amd64
    404
    cache-control: no-store
    content-length: 105
    content-type: application/json

    {"errors":["version `1.1.0` of provider `localhost/acme/dns` has no package for platform `plan9_amd64`"]}

    > GET /releases/localhost/acme/dns/9.9.9/terraform-provider-dns_9.9.9_SHA256SUMS
    404
    cache-control: no-store
    content-length: 77
    content-type: application/json

    {"errors":["version `9.9.9` of provider `localhost/acme/dns` was not found"]}

    > HEAD /v1/providers/acme/nothing/versions
    404
    cache-control: no-store
    content-length: 62
    content-type: application/json
    "#);
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
    ], @r#"
    > GET /v1/providers/secret/dns/versions
    404
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["provider `localhost/secret/dns` was not found"]}

    > GET /v1/providers/secret/dns/1.0.0/download/linux/amd64
    404
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["provider `localhost/secret/dns` was not found"]}

    > GET /mirror/localhost/secret/dns/index.json
    404
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["provider `localhost/secret/dns` was not found"]}

    > GET /mirror/localhost/secret/dns/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}

    > GET /releases/localhost/secret/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS
    404
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["provider `localhost/secret/dns` was not found"]}

    > GET /v1/providers/nobody/dns/versions
    404
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["provider `localhost/nobody/dns` was not found"]}
    "#);
}

#[test]
fn other_hosts_providers_are_not_this_registry_s() {
    assert_transcript!([
        "GET /v1/providers/acme/dns/3.0.0/download/linux/amd64",
    ], @r#"
    > GET /v1/providers/acme/dns/3.0.0/download/linux/amd64
    404
    cache-control: no-store
    content-length: 77
    content-type: application/json

    {"errors":["version `3.0.0` of provider `localhost/acme/dns` was not found"]}
    "#);
}

#[test]
fn what_is_withdrawn_stays_listed_with_warnings() {
    assert_transcript!(["GET /v1/providers/acme/names/versions"], @r#"
    > GET /v1/providers/acme/names/versions
    200
    cache-control: public, max-age=5
    content-length: 333
    content-type: application/json
    etag: "948391b2effd659ebd460c0c79f0c5bcff0ca03261d337c746eb7bb2ea8fd9c3"

    {"versions":[{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.2.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":["localhost/acme/names is deprecated, use other.example/acme/names instead: it moved","versions 1.2.0 and 1.1.0 are withdrawn: it is slow"]}
    "#);
}

/// Its documents and its archive are still in storage here, as they are until a removal is done.
#[test]
fn nothing_of_a_removed_version_is_served_on_any_route() {
    assert_transcript!([
        "GET /v1/providers/acme/names/1.0.0/download/linux/amd64",
        "GET /releases/localhost/acme/names/1.0.0/terraform-provider-names_1.0.0_SHA256SUMS",
        "GET /releases/localhost/acme/names/1.0.0/terraform-provider-names_1.0.0_SHA256SUMS.sig",
        "GET /releases/localhost/acme/names/1.0.0/05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c/terraform-provider-names_1.0.0_linux_amd64.zip",
        "GET /releases/localhost/acme/names/1.0.0/05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c/terraform-provider-names_1.0.0_linux_amd64.zip | if-none-match: \"05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c\"",
        "GET /mirror/localhost/acme/names/index.json",
        "GET /mirror/localhost/acme/names/1.0.0.json",
    ], @r#"
    > GET /v1/providers/acme/names/1.0.0/download/linux/amd64
    404
    cache-control: no-store
    content-length: 79
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/acme/names` was not found"]}

    > GET /releases/localhost/acme/names/1.0.0/terraform-provider-names_1.0.0_SHA256SUMS
    404
    cache-control: no-store
    content-length: 79
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/acme/names` was not found"]}

    > GET /releases/localhost/acme/names/1.0.0/terraform-provider-names_1.0.0_SHA256SUMS.sig
    404
    cache-control: no-store
    content-length: 79
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/acme/names` was not found"]}

    > GET /releases/localhost/acme/names/1.0.0/05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c/terraform-provider-names_1.0.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 79
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/acme/names` was not found"]}

    > GET /releases/localhost/acme/names/1.0.0/05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c/terraform-provider-names_1.0.0_linux_amd64.zip | if-none-match: "05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c"
    404
    cache-control: no-store
    content-length: 79
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/acme/names` was not found"]}

    > GET /mirror/localhost/acme/names/index.json
    200
    cache-control: public, max-age=5
    content-length: 36
    content-type: application/json
    etag: "43f20b9085cf5b89fbcbf1ca5f557be695708c5fcac34c81fdd28b24db7ca956"

    {"versions":{"1.1.0":{},"1.2.0":{}}}

    > GET /mirror/localhost/acme/names/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}
    "#);
}

#[test]
fn a_provider_without_a_version_left_is_answered_for_like_none() {
    assert_transcript!([
        "GET /v1/providers/acme/gone/versions",
        "GET /v1/providers/acme/gone/1.0.0/download/linux/amd64",
        "GET /releases/localhost/acme/gone/1.0.0/d8c7306fb174313c0e6e1551f3a60ce01694d607388dadee97f13a417bd35224/terraform-provider-gone_1.0.0_linux_amd64.zip",
        "GET /mirror/localhost/acme/gone/index.json",
        "GET /mirror/localhost/acme/gone/1.0.0.json",
    ], @r#"
    > GET /v1/providers/acme/gone/versions
    404
    cache-control: no-store
    content-length: 59
    content-type: application/json

    {"errors":["provider `localhost/acme/gone` was not found"]}

    > GET /v1/providers/acme/gone/1.0.0/download/linux/amd64
    404
    cache-control: no-store
    content-length: 59
    content-type: application/json

    {"errors":["provider `localhost/acme/gone` was not found"]}

    > GET /releases/localhost/acme/gone/1.0.0/d8c7306fb174313c0e6e1551f3a60ce01694d607388dadee97f13a417bd35224/terraform-provider-gone_1.0.0_linux_amd64.zip
    404
    cache-control: no-store
    content-length: 59
    content-type: application/json

    {"errors":["provider `localhost/acme/gone` was not found"]}

    > GET /mirror/localhost/acme/gone/index.json
    404
    cache-control: no-store
    content-length: 59
    content-type: application/json

    {"errors":["provider `localhost/acme/gone` was not found"]}

    > GET /mirror/localhost/acme/gone/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}
    "#);
}

#[test]
fn a_retired_or_expired_key_serves_old_versions_as_ever() {
    assert_transcript!([
        "GET /v1/providers/retired/dns/versions",
        "HEAD /v1/providers/retired/dns/1.0.0/download/linux/amd64",
        "HEAD /v1/providers/expired/dns/1.0.0/download/linux/amd64",
        "GET /v1/providers/expired/dns/versions",
    ], @r#"
    > GET /v1/providers/retired/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 196
    content-type: application/json
    etag: "d50f7d56fc21e8bae9abcffc8a291cabe6db04c32a2078b8fa563584a8c6c134"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":[]}

    > HEAD /v1/providers/retired/dns/1.0.0/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1043
    content-type: application/json
    etag: "686b0f7650e2efab4095d8087b510e5c637452a24db99099f628ed171ada0f3a"

    > HEAD /v1/providers/expired/dns/1.0.0/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1043
    content-type: application/json
    etag: "4187fe1dda907e70b29c7e7c961605ba65d53cef0496110d525be63d85a2a8cd"

    > GET /v1/providers/expired/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 196
    content-type: application/json
    etag: "d50f7d56fc21e8bae9abcffc8a291cabe6db04c32a2078b8fa563584a8c6c134"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":[]}
    "#);
}

#[test]
fn what_a_revoked_key_warns_of_is_served_with_one_line_for_all_its_versions() {
    assert_transcript!([
        "GET /v1/providers/warned/dns/versions",
        "HEAD /v1/providers/warned/dns/1.0.0/download/linux/amd64",
        "GET /mirror/localhost/warned/dns/1.0.0.json",
        "GET /releases/localhost/warned/dns/1.0.0/d15595b066c8bc60a53e7f367d1661404fc6aec2bcbf2cf9cea27182ff07f129/terraform-provider-dns_1.0.0_linux_amd64.zip",
    ], @r#"
    > GET /v1/providers/warned/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 313
    content-type: application/json
    etag: "2d5f7de7ee8303ea31425c5bb6f76e424b5c5103e3149734638a51bbc89fcc13"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":["versions 1.1.0, 1.0.0 are signed with key 91A6E7F85D05C65630BEF18951852D87348FFC4C, which is revoked: laptop stolen"]}

    > HEAD /v1/providers/warned/dns/1.0.0/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1040
    content-type: application/json
    etag: "ecfa7548fc890d2371bcefcf06abd8c49f8c31c9a84f4f5d8bb7c6452eb20259"

    > GET /mirror/localhost/warned/dns/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 340
    content-type: application/json
    etag: "b99d1d36af75db496df7502f104a2c8155662700dd116613aa8493b531ed0100"

    {"archives":{"linux_amd64":{"url":"https://registry.example/releases/localhost/warned/dns/1.0.0/d15595b066c8bc60a53e7f367d1661404fc6aec2bcbf2cf9cea27182ff07f129/terraform-provider-dns_1.0.0_linux_amd64.zip","hashes":["zh:d15595b066c8bc60a53e7f367d1661404fc6aec2bcbf2cf9cea27182ff07f129","h1:8WN05ggKGZNK6lfIaCIyNnucvYvs8cH22pcTfLSPuO4="]}}}

    > GET /releases/localhost/warned/dns/1.0.0/d15595b066c8bc60a53e7f367d1661404fc6aec2bcbf2cf9cea27182ff07f129/terraform-provider-dns_1.0.0_linux_amd64.zip
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 53
    content-type: application/zip
    etag: "d15595b066c8bc60a53e7f367d1661404fc6aec2bcbf2cf9cea27182ff07f129"

    archive of localhost/warned/dns 1.0.0 for linux_amd64
    "#);
}

#[test]
fn what_a_revoked_key_blocks_stays_listed_and_is_served_nowhere() {
    assert_transcript!([
        "GET /v1/providers/blocked/dns/versions",
        "GET /v1/providers/blocked/dns/1.0.0/download/linux/amd64",
        "GET /releases/localhost/blocked/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS",
        "GET /releases/localhost/blocked/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig",
        "GET /releases/localhost/blocked/dns/1.0.0/09e0f273ae0eba930485b957f1d5fc68704276315820cd36641d370796b4727f/terraform-provider-dns_1.0.0_linux_amd64.zip",
        "GET /releases/localhost/blocked/dns/1.0.0/09e0f273ae0eba930485b957f1d5fc68704276315820cd36641d370796b4727f/terraform-provider-dns_1.0.0_linux_amd64.zip | if-none-match: *",
        "HEAD /releases/localhost/blocked/dns/1.1.0/08382ced47bec5e5a97037dbb43556dde48da76847c56760bedf7bd7ad7a4426/terraform-provider-dns_1.1.0_linux_amd64.zip",
        "GET /mirror/localhost/blocked/dns/index.json",
        "GET /mirror/localhost/blocked/dns/1.0.0.json",
        "GET /v1/providers/blocked/dns/9.9.9/download/linux/amd64",
    ], @r#"
    > GET /v1/providers/blocked/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 339
    content-type: application/json
    etag: "f283fa52ec3334d088c4c6f5d3c4134e55e5aa48ef8b87d4e6d61ff7c967cf04"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":["versions 1.1.0, 1.0.0 cannot be installed: they are signed with key 91A6E7F85D05C65630BEF18951852D87348FFC4C, which is revoked: laptop stolen"]}

    > GET /v1/providers/blocked/dns/1.0.0/download/linux/amd64
    410
    cache-control: no-store
    content-length: 161
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"]}

    > GET /releases/localhost/blocked/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS
    410
    cache-control: no-store
    content-length: 161
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"]}

    > GET /releases/localhost/blocked/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig
    410
    cache-control: no-store
    content-length: 161
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"]}

    > GET /releases/localhost/blocked/dns/1.0.0/09e0f273ae0eba930485b957f1d5fc68704276315820cd36641d370796b4727f/terraform-provider-dns_1.0.0_linux_amd64.zip
    410
    cache-control: no-store
    content-length: 161
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"]}

    > GET /releases/localhost/blocked/dns/1.0.0/09e0f273ae0eba930485b957f1d5fc68704276315820cd36641d370796b4727f/terraform-provider-dns_1.0.0_linux_amd64.zip | if-none-match: *
    410
    cache-control: no-store
    content-length: 161
    content-type: application/json

    {"errors":["version `1.0.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"]}

    > HEAD /releases/localhost/blocked/dns/1.1.0/08382ced47bec5e5a97037dbb43556dde48da76847c56760bedf7bd7ad7a4426/terraform-provider-dns_1.1.0_linux_amd64.zip
    410
    cache-control: no-store
    content-length: 161
    content-type: application/json

    > GET /mirror/localhost/blocked/dns/index.json
    200
    cache-control: public, max-age=5
    content-length: 36
    content-type: application/json
    etag: "c20b1b758b2026af1976ca92a00ff1d0c55f2645f853116f40bdf6437d951810"

    {"versions":{"1.0.0":{},"1.1.0":{}}}

    > GET /mirror/localhost/blocked/dns/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}

    > GET /v1/providers/blocked/dns/9.9.9/download/linux/amd64
    404
    cache-control: no-store
    content-length: 80
    content-type: application/json

    {"errors":["version `9.9.9` of provider `localhost/blocked/dns` was not found"]}
    "#);
}

#[test]
fn what_its_owner_revoked_is_left_to_clients_to_refuse_unless_they_cannot() {
    assert_transcript!([
        "GET /v1/providers/certified/dns/versions",
        "HEAD /v1/providers/certified/dns/1.0.0/download/linux/amd64",
        "HEAD /releases/localhost/certified/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS",
        "HEAD /releases/localhost/certified/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig",
        "HEAD /releases/localhost/certified/dns/1.0.0/60f9c284425d5a790dfe2100a254fd1dad94e119c51ea54a9498420c4a805dab/terraform-provider-dns_1.0.0_linux_amd64.zip",
        "GET /mirror/localhost/certified/dns/index.json",
        "GET /mirror/localhost/certified/dns/1.0.0.json",
    ], @r#"
    > GET /v1/providers/certified/dns/versions
    200
    cache-control: public, max-age=5
    content-length: 339
    content-type: application/json
    etag: "f283fa52ec3334d088c4c6f5d3c4134e55e5aa48ef8b87d4e6d61ff7c967cf04"

    {"versions":[{"version":"1.0.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]},{"version":"1.1.0","protocols":["6.0"],"platforms":[{"os":"linux","arch":"amd64"}]}],"warnings":["versions 1.1.0, 1.0.0 cannot be installed: they are signed with key 91A6E7F85D05C65630BEF18951852D87348FFC4C, which is revoked: laptop stolen"]}

    > HEAD /v1/providers/certified/dns/1.0.0/download/linux/amd64
    200
    cache-control: public, max-age=5
    content-length: 1049
    content-type: application/json
    etag: "1a0be3033c2e778c0e0c13a35185b39a0acba30ac16552e0e42d72723ea09263"

    > HEAD /releases/localhost/certified/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS
    200
    cache-control: public, max-age=5
    content-length: 111
    content-type: text/plain; charset=utf-8
    etag: "8f67d6ed17955156811da654174339ce9c23415bea4aa3d88f02c16d40fa6318"

    > HEAD /releases/localhost/certified/dns/1.0.0/terraform-provider-dns_1.0.0_SHA256SUMS.sig
    200
    cache-control: public, max-age=5
    content-length: 19
    content-type: application/pgp-signature
    etag: "d4cbd7f3c142fee4e1482bb20582408772d9b5e87765e20f4979e468b3f80df4"

    > HEAD /releases/localhost/certified/dns/1.0.0/60f9c284425d5a790dfe2100a254fd1dad94e119c51ea54a9498420c4a805dab/terraform-provider-dns_1.0.0_linux_amd64.zip
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 56
    content-type: application/zip
    etag: "60f9c284425d5a790dfe2100a254fd1dad94e119c51ea54a9498420c4a805dab"

    > GET /mirror/localhost/certified/dns/index.json
    200
    cache-control: public, max-age=5
    content-length: 36
    content-type: application/json
    etag: "c20b1b758b2026af1976ca92a00ff1d0c55f2645f853116f40bdf6437d951810"

    {"versions":{"1.0.0":{},"1.1.0":{}}}

    > GET /mirror/localhost/certified/dns/1.0.0.json
    200
    cache-control: public, max-age=5
    content-length: 15
    content-type: application/json
    etag: "0d6dbd97fc19ce82293615a9569c52f3b2833d7ce3efed6d63f566260bed3f7a"

    {"archives":{}}
    "#);
}

#[test]
fn paths_outside_the_grammar_are_refused() {
    assert_transcript!([
        "GET /",
        "GET /v1/providers/Acme/dns/versions",
        "GET /v1/providers/acme/terraform-dns/versions",
        "GET /v1/providers/acme/dns/v1.0.0/download/linux/amd64",
        "GET /mirror/localhost/Acme/dns/1.0.0.json",
    ], @r#"
    > GET /
    404
    cache-control: no-store
    content-length: 38
    content-type: application/json

    {"errors":["there is nothing at `/`"]}

    > GET /v1/providers/Acme/dns/versions
    404
    cache-control: no-store
    content-length: 74
    content-type: application/json

    {"errors":["`/v1/providers/Acme/dns/versions`: `Acme` is written `acme`"]}

    > GET /v1/providers/acme/terraform-dns/versions
    404
    cache-control: no-store
    content-length: 113
    content-type: application/json

    {"errors":["`/v1/providers/acme/terraform-dns/versions`: type `terraform-dns` must not start with `terraform-`"]}

    > GET /v1/providers/acme/dns/v1.0.0/download/linux/amd64
    404
    cache-control: no-store
    content-length: 141
    content-type: application/json

    {"errors":["`/v1/providers/acme/dns/v1.0.0/download/linux/amd64`: version `v1.0.0` is not canonical SemVer such as `1.2.3` or `1.2.3-rc.1`"]}

    > GET /mirror/localhost/Acme/dns/1.0.0.json
    404
    cache-control: no-store
    content-length: 80
    content-type: application/json

    {"errors":["`/mirror/localhost/Acme/dns/1.0.0.json`: `Acme` is written `acme`"]}
    "#);
}

#[test]
fn nothing_but_reading_is_allowed() {
    assert_transcript!([
        "POST /v1/providers/acme/dns/versions",
        "DELETE /v1/providers/acme/dns/versions",
        "PUT /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS",
        "OPTIONS /healthz",
        "PATCH /nowhere",
    ], @r#"
    > POST /v1/providers/acme/dns/versions
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 57
    content-type: application/json

    {"errors":["method POST is not allowed, only GET, HEAD"]}

    > DELETE /v1/providers/acme/dns/versions
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 59
    content-type: application/json

    {"errors":["method DELETE is not allowed, only GET, HEAD"]}

    > PUT /releases/localhost/acme/dns/1.1.0/terraform-provider-dns_1.1.0_SHA256SUMS
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 56
    content-type: application/json

    {"errors":["method PUT is not allowed, only GET, HEAD"]}

    > OPTIONS /healthz
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 60
    content-type: application/json

    {"errors":["method OPTIONS is not allowed, only GET, HEAD"]}

    > PATCH /nowhere
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 58
    content-type: application/json

    {"errors":["method PATCH is not allowed, only GET, HEAD"]}
    "#);
}
