//! What is not there, or not for everybody to see, is 404 and named.

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
