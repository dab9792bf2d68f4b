//! Signed files and archives: as they were signed, whole and in part, and only where they are listed.

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
