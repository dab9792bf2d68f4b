//! What is no route, and what is not read.

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
