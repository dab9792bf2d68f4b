//! What is withdrawn stays listed and warns; what was removed is gone on every route.

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
