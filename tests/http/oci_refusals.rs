//! OCI distribution: what is not there, not for everybody, or not to be done, by its error codes.

#[test]
fn what_is_not_there_is_named_by_a_code() {
    assert_transcript!([
        "GET /v2/acme/nothing/tags/list",
        "GET /v2/localhost/acme/nothing/tags/list",
        "GET /v2/acme/dns/manifests/9.9.9",
        "HEAD /v2/acme/dns/manifests/9.9.9",
        "GET /v2/acme/dns/manifests/latest",
        "GET /v2/acme/dns/manifests/1.1",
        "GET /v2/acme/dns/manifests/sha256:0000000000000000000000000000000000000000000000000000000000000000",
        "GET /v2/acme/dns/blobs/sha256:0000000000000000000000000000000000000000000000000000000000000000",
        "GET /v2/acme/nothing/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        "GET /v2/_catalog",
        "GET /%76%32/acme/nothing/tags/list",
    ], @r#"
    > GET /v2/acme/nothing/tags/list
    404
    cache-control: no-store
    content-length: 96
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/acme/nothing` was not found"}]}

    > GET /v2/localhost/acme/nothing/tags/list
    404
    cache-control: no-store
    content-length: 96
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/acme/nothing` was not found"}]}

    > GET /v2/acme/dns/manifests/9.9.9
    404
    cache-control: no-store
    content-length: 115
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"version `9.9.9` of provider `localhost/acme/dns` was not found"}]}

    > HEAD /v2/acme/dns/manifests/9.9.9
    404
    cache-control: no-store
    content-length: 115
    content-type: application/json

    > GET /v2/acme/dns/manifests/latest
    404
    cache-control: no-store
    content-length: 130
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"tag `latest` is none of a version, which is written in full, with `_` for `+`"}]}

    > GET /v2/acme/dns/manifests/1.1
    404
    cache-control: no-store
    content-length: 127
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"tag `1.1` is none of a version, which is written in full, with `_` for `+`"}]}

    > GET /v2/acme/dns/manifests/sha256:0000000000000000000000000000000000000000000000000000000000000000
    404
    cache-control: no-store
    content-length: 184
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"provider `localhost/acme/dns` has nothing with the digest `sha256:0000000000000000000000000000000000000000000000000000000000000000`"}]}

    > GET /v2/acme/dns/blobs/sha256:0000000000000000000000000000000000000000000000000000000000000000
    404
    cache-control: no-store
    content-length: 180
    content-type: application/json

    {"errors":[{"code":"BLOB_UNKNOWN","message":"provider `localhost/acme/dns` has nothing with the digest `sha256:0000000000000000000000000000000000000000000000000000000000000000`"}]}

    > GET /v2/acme/nothing/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    404
    cache-control: no-store
    content-length: 96
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/acme/nothing` was not found"}]}

    > GET /v2/_catalog
    404
    cache-control: no-store
    content-length: 102
    content-type: application/json

    {"errors":[{"code":"UNSUPPORTED","message":"OCI distribution has nothing to pull at `/v2/_catalog`"}]}

    > GET /%76%32/acme/nothing/tags/list
    404
    cache-control: no-store
    content-length: 96
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/acme/nothing` was not found"}]}
    "#);
}

#[test]
fn a_digest_is_served_only_in_a_repository_that_refers_to_it() {
    assert_transcript!([
        // An archive and a manifest of another provider.
        "GET /v2/acme/names/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae",
        "GET /v2/acme/names/manifests/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2",
        // A manifest is no blob, and an archive no manifest.
        "GET /v2/acme/dns/blobs/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2",
        "GET /v2/acme/dns/manifests/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae",
        // What belongs to a private namespace, and to a version that was removed.
        "GET /v2/secret/dns/tags/list",
        "GET /v2/secret/dns/blobs/sha256:12840a3a9c190f8f82c4998b9f0a4de61896dcc6d8cc258b65bfeb83a1841522",
        "GET /v2/secret/dns/manifests/1.0.0",
        "GET /v2/acme/names/manifests/1.0.0",
        "GET /v2/acme/names/manifests/sha256:f90f9303c0927e3b800e3c3a91e776a611ae22f32b3e3cc69676990300f64a9f",
        "GET /v2/acme/names/blobs/sha256:05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c",
    ], @r#"
    > GET /v2/acme/names/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    404
    cache-control: no-store
    content-length: 182
    content-type: application/json

    {"errors":[{"code":"BLOB_UNKNOWN","message":"provider `localhost/acme/names` has nothing with the digest `sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae`"}]}

    > GET /v2/acme/names/manifests/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2
    404
    cache-control: no-store
    content-length: 186
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"provider `localhost/acme/names` has nothing with the digest `sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2`"}]}

    > GET /v2/acme/dns/blobs/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2
    404
    cache-control: no-store
    content-length: 180
    content-type: application/json

    {"errors":[{"code":"BLOB_UNKNOWN","message":"provider `localhost/acme/dns` has nothing with the digest `sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2`"}]}

    > GET /v2/acme/dns/manifests/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    404
    cache-control: no-store
    content-length: 153
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"`sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae` is a blob, and no manifest"}]}

    > GET /v2/secret/dns/tags/list
    404
    cache-control: no-store
    content-length: 94
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/secret/dns` was not found"}]}

    > GET /v2/secret/dns/blobs/sha256:12840a3a9c190f8f82c4998b9f0a4de61896dcc6d8cc258b65bfeb83a1841522
    404
    cache-control: no-store
    content-length: 94
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/secret/dns` was not found"}]}

    > GET /v2/secret/dns/manifests/1.0.0
    404
    cache-control: no-store
    content-length: 94
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/secret/dns` was not found"}]}

    > GET /v2/acme/names/manifests/1.0.0
    404
    cache-control: no-store
    content-length: 117
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"version `1.0.0` of provider `localhost/acme/names` was not found"}]}

    > GET /v2/acme/names/manifests/sha256:f90f9303c0927e3b800e3c3a91e776a611ae22f32b3e3cc69676990300f64a9f
    404
    cache-control: no-store
    content-length: 186
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"provider `localhost/acme/names` has nothing with the digest `sha256:f90f9303c0927e3b800e3c3a91e776a611ae22f32b3e3cc69676990300f64a9f`"}]}

    > GET /v2/acme/names/blobs/sha256:05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c
    404
    cache-control: no-store
    content-length: 182
    content-type: application/json

    {"errors":[{"code":"BLOB_UNKNOWN","message":"provider `localhost/acme/names` has nothing with the digest `sha256:05ea6abf65f7d7815c3f41cbb40277c5e77a0f8b4b8f6c6dcd3397d6c6ed757c`"}]}
    "#);
}

#[test]
fn what_a_revoked_key_blocks_is_denied_and_stays_listed() {
    assert_transcript!([
        "GET /v2/blocked/dns/tags/list",
        "GET /v2/blocked/dns/manifests/1.1.0",
        "HEAD /v2/blocked/dns/manifests/1.1.0",
        "GET /v2/blocked/dns/manifests/sha256:45ec3f9337a8f1ddefc9ad30e5226e64dcaa2e80dc7577c3787337bcf18350f8",
        "GET /v2/blocked/dns/blobs/sha256:08382ced47bec5e5a97037dbb43556dde48da76847c56760bedf7bd7ad7a4426",
        // OCI clients see no key, so its owner's certificate tells them nothing.
        "GET /v2/certified/dns/manifests/1.1.0",
        "HEAD /v2/warned/dns/manifests/1.1.0",
    ], @r#"
    > GET /v2/blocked/dns/tags/list
    200
    cache-control: public, max-age=5
    content-length: 47
    content-type: application/json
    etag: "a9f547f70ac032413879674c559bdb20a3e015c0cfb1db06b9ac1882238c90ac"

    {"name":"blocked/dns","tags":["1.0.0","1.1.0"]}

    > GET /v2/blocked/dns/manifests/1.1.0
    403
    cache-control: no-store
    content-length: 189
    content-type: application/json

    {"errors":[{"code":"DENIED","message":"version `1.1.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"}]}

    > HEAD /v2/blocked/dns/manifests/1.1.0
    403
    cache-control: no-store
    content-length: 189
    content-type: application/json

    > GET /v2/blocked/dns/manifests/sha256:45ec3f9337a8f1ddefc9ad30e5226e64dcaa2e80dc7577c3787337bcf18350f8
    403
    cache-control: no-store
    content-length: 189
    content-type: application/json

    {"errors":[{"code":"DENIED","message":"version `1.1.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"}]}

    > GET /v2/blocked/dns/blobs/sha256:08382ced47bec5e5a97037dbb43556dde48da76847c56760bedf7bd7ad7a4426
    403
    cache-control: no-store
    content-length: 189
    content-type: application/json

    {"errors":[{"code":"DENIED","message":"version `1.1.0` of provider `localhost/blocked/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"}]}

    > GET /v2/certified/dns/manifests/1.1.0
    403
    cache-control: no-store
    content-length: 191
    content-type: application/json

    {"errors":[{"code":"DENIED","message":"version `1.1.0` of provider `localhost/certified/dns` is signed with key `91A6E7F85D05C65630BEF18951852D87348FFC4C`, which is revoked: laptop stolen"}]}

    > HEAD /v2/warned/dns/manifests/1.1.0
    200
    cache-control: public, max-age=5
    content-length: 573
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:9dd8366c80cb16bb69e394d16c53dfb273794768bc1f9fd32d4362c545135462
    etag: "9dd8366c80cb16bb69e394d16c53dfb273794768bc1f9fd32d4362c545135462"
    "#);
}

#[test]
fn names_and_digests_outside_the_grammar_are_refused() {
    assert_transcript!([
        "GET /v2/stra%C3%9Fe/%E3%81%BB%E3%81%92/tags/list",
        "GET /v2/localhost/stra%C3%9Fe/%E3%81%BB%E3%81%92/manifests/1.0.0",
        "GET /v2/localhost:8443/acme/dns/tags/list",
        "GET /v2/Acme/dns/tags/list",
        "GET /v2/dns/tags/list",
        "GET /v2/a/b/c/d/tags/list",
        "GET /v2/acme/dns/manifests/sha256:abc",
        "GET /v2/acme/dns/blobs/sha512:abc",
        "GET /v2/acme/dns/blobs/1.0.0",
        "GET /v2",
    ], @r#"
    > GET /v2/stra%C3%9Fe/%E3%81%BB%E3%81%92/tags/list
    404
    cache-control: no-store
    content-length: 251
    content-type: application/json

    {"errors":[{"code":"NAME_INVALID","message":"requested provider address `straße/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `straße/ほげ`"}]}

    > GET /v2/localhost/stra%C3%9Fe/%E3%81%BB%E3%81%92/manifests/1.0.0
    404
    cache-control: no-store
    content-length: 271
    content-type: application/json

    {"errors":[{"code":"NAME_INVALID","message":"requested provider address `localhost/straße/ほげ` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `localhost/straße/ほげ`"}]}

    > GET /v2/localhost:8443/acme/dns/tags/list
    404
    cache-control: no-store
    content-length: 269
    content-type: application/json

    {"errors":[{"code":"NAME_INVALID","message":"requested provider address `localhost:8443/acme/dns` contains characters that are not valid in an OCI distribution repository name, so this provider cannot be installed from an OCI repository as `localhost:8443/acme/dns`"}]}

    > GET /v2/Acme/dns/tags/list
    404
    cache-control: no-store
    content-length: 184
    content-type: application/json

    {"errors":[{"code":"NAME_INVALID","message":"repository `Acme/dns` is none of a provider: HOSTNAME/NAMESPACE/TYPE, NAMESPACE/TYPE or NAMESPACE/opentofu-provider-TYPE, in lower case"}]}

    > GET /v2/dns/tags/list
    404
    cache-control: no-store
    content-length: 179
    content-type: application/json

    {"errors":[{"code":"NAME_INVALID","message":"repository `dns` is none of a provider: HOSTNAME/NAMESPACE/TYPE, NAMESPACE/TYPE or NAMESPACE/opentofu-provider-TYPE, in lower case"}]}

    > GET /v2/a/b/c/d/tags/list
    404
    cache-control: no-store
    content-length: 183
    content-type: application/json

    {"errors":[{"code":"NAME_INVALID","message":"repository `a/b/c/d` is none of a provider: HOSTNAME/NAMESPACE/TYPE, NAMESPACE/TYPE or NAMESPACE/opentofu-provider-TYPE, in lower case"}]}

    > GET /v2/acme/dns/manifests/sha256:abc
    400
    cache-control: no-store
    content-length: 127
    content-type: application/json

    {"errors":[{"code":"DIGEST_INVALID","message":"`sha256:abc` is not a digest: `sha256:` and 64 lower-case hexadecimal digits"}]}

    > GET /v2/acme/dns/blobs/sha512:abc
    400
    cache-control: no-store
    content-length: 127
    content-type: application/json

    {"errors":[{"code":"DIGEST_INVALID","message":"`sha512:abc` is not a digest: `sha256:` and 64 lower-case hexadecimal digits"}]}

    > GET /v2/acme/dns/blobs/1.0.0
    400
    cache-control: no-store
    content-length: 122
    content-type: application/json

    {"errors":[{"code":"DIGEST_INVALID","message":"`1.0.0` is not a digest: `sha256:` and 64 lower-case hexadecimal digits"}]}

    > GET /v2
    404
    cache-control: no-store
    content-length: 40
    content-type: application/json

    {"errors":["there is nothing at `/v2`"]}
    "#);
}

#[test]
fn nothing_is_pushed() {
    assert_transcript!([
        "POST /v2/acme/dns/blobs/uploads/",
        "PATCH /v2/acme/dns/blobs/uploads/1",
        "PUT /v2/acme/dns/manifests/1.1.0",
        "DELETE /v2/acme/dns/manifests/1.1.0",
        "DELETE /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae",
    ], @r#"
    > POST /v2/acme/dns/blobs/uploads/
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 90
    content-type: application/json

    {"errors":[{"code":"UNSUPPORTED","message":"method POST is not allowed, only GET, HEAD"}]}

    > PATCH /v2/acme/dns/blobs/uploads/1
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 91
    content-type: application/json

    {"errors":[{"code":"UNSUPPORTED","message":"method PATCH is not allowed, only GET, HEAD"}]}

    > PUT /v2/acme/dns/manifests/1.1.0
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 89
    content-type: application/json

    {"errors":[{"code":"UNSUPPORTED","message":"method PUT is not allowed, only GET, HEAD"}]}

    > DELETE /v2/acme/dns/manifests/1.1.0
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 92
    content-type: application/json

    {"errors":[{"code":"UNSUPPORTED","message":"method DELETE is not allowed, only GET, HEAD"}]}

    > DELETE /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    405
    allow: GET, HEAD
    cache-control: no-store
    content-length: 92
    content-type: application/json

    {"errors":[{"code":"UNSUPPORTED","message":"method DELETE is not allowed, only GET, HEAD"}]}
    "#);
}
