//! The network mirror protocol.

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
