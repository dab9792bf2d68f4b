//! OCI distribution, the pull side: the same release under `/v2/`.

#[test]
fn the_protocol_is_spoken() {
    assert_transcript!(["GET /v2/", "HEAD /v2/"], @r#"
    > GET /v2/
    200
    cache-control: public, max-age=300
    content-length: 2
    content-type: application/json
    etag: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"

    {}

    > HEAD /v2/
    200
    cache-control: public, max-age=300
    content-length: 2
    content-type: application/json
    etag: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    "#);
}

#[test]
fn tags_are_the_listed_versions_in_full() {
    assert_transcript!([
        "GET /v2/localhost/acme/dns/tags/list",
        "GET /v2/acme/dns/tags/list",
        "GET /v2/acme/opentofu-provider-dns/tags/list",
        "GET /v2/mirrored.example/acme/dns/tags/list",
        "GET /v2/acme/names/tags/list",
        "HEAD /v2/acme/names/tags/list",
    ], @r#"
    > GET /v2/localhost/acme/dns/tags/list
    200
    cache-control: public, max-age=5
    content-length: 75
    content-type: application/json
    etag: "001a77e531818f7be53f062148bae16f0dcd4ab54e03117d9c04b367604972dc"

    {"name":"localhost/acme/dns","tags":["1.0.0","1.1.0","2.0.0-rc.1_build.7"]}

    > GET /v2/acme/dns/tags/list
    200
    cache-control: public, max-age=5
    content-length: 65
    content-type: application/json
    etag: "0d69412b3576bad98cf96a61cba1591cf7a9107fcad08abbfdfe640fca99613f"

    {"name":"acme/dns","tags":["1.0.0","1.1.0","2.0.0-rc.1_build.7"]}

    > GET /v2/acme/opentofu-provider-dns/tags/list
    200
    cache-control: public, max-age=5
    content-length: 83
    content-type: application/json
    etag: "7dcb4407b07668a0f18b256a67824aff25295c32e1e5f6d86630ec48534f8293"

    {"name":"acme/opentofu-provider-dns","tags":["1.0.0","1.1.0","2.0.0-rc.1_build.7"]}

    > GET /v2/mirrored.example/acme/dns/tags/list
    200
    cache-control: public, max-age=5
    content-length: 53
    content-type: application/json
    etag: "1078f197497fb6555d37fba11409135d2aad9c0ed528aef2b99902d476885c04"

    {"name":"mirrored.example/acme/dns","tags":["3.0.0"]}

    > GET /v2/acme/names/tags/list
    200
    cache-control: public, max-age=5
    content-length: 46
    content-type: application/json
    etag: "8e3aae907fde1b5cb507de7f005fd4eb2a1c8d09eb8468429a509017fb6f63ad"

    {"name":"acme/names","tags":["1.1.0","1.2.0"]}

    > HEAD /v2/acme/names/tags/list
    200
    cache-control: public, max-age=5
    content-length: 46
    content-type: application/json
    etag: "8e3aae907fde1b5cb507de7f005fd4eb2a1c8d09eb8468429a509017fb6f63ad"
    "#);
}

#[test]
fn tags_come_in_pages() {
    assert_transcript!([
        "GET /v2/acme/dns/tags/list?n=2",
        "GET /v2/acme/dns/tags/list?n=2&last=1.1.0",
        "GET /v2/acme/dns/tags/list?last=1.0.5",
        "GET /v2/acme/dns/tags/list?n=3",
        "GET /v2/acme/dns/tags/list?n=0",
        "GET /v2/acme/dns/tags/list?n=2&last=9",
        "GET /v2/acme/dns/tags/list?n=two",
        "GET /v2/acme/dns/tags/list?n=-1",
    ], @r#"
    > GET /v2/acme/dns/tags/list?n=2
    200
    cache-control: public, max-age=5
    content-length: 44
    content-type: application/json
    etag: "f7453ffdb4d473ee2aba960f2664e7fe62c2dc175deed58ee6d375e7c0e0fb4e"
    link: </v2/acme/dns/tags/list?n=2&last=1.1.0>; rel="next"

    {"name":"acme/dns","tags":["1.0.0","1.1.0"]}

    > GET /v2/acme/dns/tags/list?n=2&last=1.1.0
    200
    cache-control: public, max-age=5
    content-length: 49
    content-type: application/json
    etag: "5ccaa66d169b6beb2bb1b52073ae7c33943abdfe41eee68de056be68da265a93"

    {"name":"acme/dns","tags":["2.0.0-rc.1_build.7"]}

    > GET /v2/acme/dns/tags/list?last=1.0.5
    200
    cache-control: public, max-age=5
    content-length: 57
    content-type: application/json
    etag: "87881bc48386ed81f9791cd5a3343cfd0ff9851d26c680aacb5bd6100193e402"

    {"name":"acme/dns","tags":["1.1.0","2.0.0-rc.1_build.7"]}

    > GET /v2/acme/dns/tags/list?n=3
    200
    cache-control: public, max-age=5
    content-length: 65
    content-type: application/json
    etag: "0d69412b3576bad98cf96a61cba1591cf7a9107fcad08abbfdfe640fca99613f"

    {"name":"acme/dns","tags":["1.0.0","1.1.0","2.0.0-rc.1_build.7"]}

    > GET /v2/acme/dns/tags/list?n=0
    200
    cache-control: public, max-age=5
    content-length: 29
    content-type: application/json
    etag: "36a5a900d5dbca8db0278dfbfef06994f1dcde7ae41d723a7fc340c29f3f7860"

    {"name":"acme/dns","tags":[]}

    > GET /v2/acme/dns/tags/list?n=2&last=9
    200
    cache-control: public, max-age=5
    content-length: 29
    content-type: application/json
    etag: "36a5a900d5dbca8db0278dfbfef06994f1dcde7ae41d723a7fc340c29f3f7860"

    {"name":"acme/dns","tags":[]}

    > GET /v2/acme/dns/tags/list?n=two
    400
    cache-control: no-store
    content-length: 91
    content-type: application/json

    {"errors":[{"code":"PAGINATION_NUMBER_INVALID","message":"`two` is not a number of tags"}]}

    > GET /v2/acme/dns/tags/list?n=-1
    400
    cache-control: no-store
    content-length: 90
    content-type: application/json

    {"errors":[{"code":"PAGINATION_NUMBER_INVALID","message":"`-1` is not a number of tags"}]}
    "#);
}

#[test]
fn an_index_is_had_by_tag_and_by_digest() {
    assert_transcript!([
        "HEAD /v2/acme/dns/manifests/1.1.0",
        "GET /v2/acme/dns/manifests/1.1.0",
        "GET /v2/localhost/acme/dns/manifests/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3",
        "HEAD /v2/acme/dns/manifests/2.0.0-rc.1_build.7",
    ], @r#"
    > HEAD /v2/acme/dns/manifests/1.1.0
    200
    cache-control: public, max-age=5
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    > GET /v2/acme/dns/manifests/1.1.0
    200
    cache-control: public, max-age=5
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","artifactType":"application/vnd.opentofu.provider","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:9d2d0af0b486a8397a017657c36e591469b09b42da31f157f7549182471f911e","size":735,"platform":{"architecture":"arm64","os":"darwin"},"artifactType":"application/vnd.opentofu.provider-target"},{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2","size":734,"platform":{"architecture":"amd64","os":"linux"},"artifactType":"application/vnd.opentofu.provider-target"},{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:a09d976cda255bc26a271e478d859385945d2218fb2ace8e9d435ec8c33c45ef","size":734,"platform":{"architecture":"386","os":"windows"},"artifactType":"application/vnd.opentofu.provider-target"}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.1.0"}}

    > GET /v2/localhost/acme/dns/manifests/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    200
    cache-control: public, max-age=31536000, immutable
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","artifactType":"application/vnd.opentofu.provider","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:9d2d0af0b486a8397a017657c36e591469b09b42da31f157f7549182471f911e","size":735,"platform":{"architecture":"arm64","os":"darwin"},"artifactType":"application/vnd.opentofu.provider-target"},{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2","size":734,"platform":{"architecture":"amd64","os":"linux"},"artifactType":"application/vnd.opentofu.provider-target"},{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:a09d976cda255bc26a271e478d859385945d2218fb2ace8e9d435ec8c33c45ef","size":734,"platform":{"architecture":"386","os":"windows"},"artifactType":"application/vnd.opentofu.provider-target"}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.1.0"}}

    > HEAD /v2/acme/dns/manifests/2.0.0-rc.1_build.7
    200
    cache-control: public, max-age=5
    content-length: 586
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:551bb31bd30515fea9a90ea7224dc0d5f112e104880a32aca123bfea286c0dd2
    etag: "551bb31bd30515fea9a90ea7224dc0d5f112e104880a32aca123bfea286c0dd2"
    "#);
}

#[test]
fn a_manifest_is_had_by_digest() {
    assert_transcript!([
        "GET /v2/acme/dns/manifests/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2",
        "HEAD /v2/acme/dns/manifests/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2",
    ], @r#"
    > GET /v2/acme/dns/manifests/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2
    200
    cache-control: public, max-age=31536000, immutable
    content-length: 734
    content-type: application/vnd.oci.image.manifest.v1+json
    docker-content-digest: sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2
    etag: "78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2"

    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.opentofu.provider-target","config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2},"layers":[{"mediaType":"archive/zip","digest":"sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae","size":51,"annotations":{"org.opencontainers.image.title":"terraform-provider-dns_1.1.0_linux_amd64.zip"}}],"annotations":{"org.opencontainers.image.created":"2026-01-02T03:04:05Z","org.opencontainers.image.title":"terraform-provider-dns","org.opencontainers.image.version":"1.1.0","org.opentofu.package-type":"provider_binary"}}

    > HEAD /v2/acme/dns/manifests/sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2
    200
    cache-control: public, max-age=31536000, immutable
    content-length: 734
    content-type: application/vnd.oci.image.manifest.v1+json
    docker-content-digest: sha256:78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2
    etag: "78cb750f3eec2cc9bab68cbf7b9500dcc0ad0b5e231bf28bf539c315c525ead2"
    "#);
}

#[test]
fn a_blob_is_the_archive_whole_or_in_part() {
    assert_transcript!([
        "HEAD /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae",
        "GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae",
        "GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae | range: bytes=40-",
        "GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae | range: bytes=51-",
        "GET /v2/acme/dns/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        "HEAD /v2/mirrored.example/acme/dns/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    ], @r#"
    > HEAD /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/octet-stream
    docker-content-digest: sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/octet-stream
    docker-content-digest: sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    archive of localhost/acme/dns 1.1.0 for linux_amd64

    > GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae | range: bytes=40-
    206
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 11
    content-range: bytes 40-50/51
    content-type: application/octet-stream
    docker-content-digest: sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    linux_amd64

    > GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae | range: bytes=51-
    416
    cache-control: no-store
    content-length: 102
    content-range: bytes */51
    content-type: application/json

    {"errors":[{"code":"SIZE_INVALID","message":"the range asked for is outside the archive's 51 bytes"}]}

    > GET /v2/acme/dns/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    200
    cache-control: public, max-age=31536000, immutable
    content-length: 2
    content-type: application/octet-stream
    docker-content-digest: sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    etag: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"

    {}

    > HEAD /v2/mirrored.example/acme/dns/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    200
    cache-control: public, max-age=31536000, immutable
    content-length: 2
    content-type: application/octet-stream
    docker-content-digest: sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    etag: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    "#);
}

#[test]
fn what_a_client_has_is_not_sent_again() {
    assert_transcript!([
        "GET /v2/acme/dns/manifests/1.1.0 | if-none-match: \"87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3\"",
        "GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae | if-none-match: \"d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae\"",
        "GET /v2/acme/dns/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a | if-none-match: *",
    ], @r#"
    > GET /v2/acme/dns/manifests/1.1.0 | if-none-match: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"
    304
    cache-control: public, max-age=5
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    > GET /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae | if-none-match: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"
    304
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    docker-content-digest: sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > GET /v2/acme/dns/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a | if-none-match: *
    304
    cache-control: public, max-age=31536000, immutable
    docker-content-digest: sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
    etag: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    "#);
}

#[test]
fn accept_decides_between_a_manifest_and_none() {
    assert_transcript!([
        "HEAD /v2/acme/dns/manifests/1.1.0 | accept: application/vnd.docker.distribution.manifest.v2+json, application/vnd.oci.image.index.v1+json",
        "HEAD /v2/acme/dns/manifests/1.1.0 | accept: */*",
        "GET /v2/acme/dns/manifests/1.1.0 | accept: application/vnd.docker.distribution.manifest.v2+json",
    ], @r#"
    > HEAD /v2/acme/dns/manifests/1.1.0 | accept: application/vnd.docker.distribution.manifest.v2+json, application/vnd.oci.image.index.v1+json
    200
    cache-control: public, max-age=5
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    > HEAD /v2/acme/dns/manifests/1.1.0 | accept: */*
    200
    cache-control: public, max-age=5
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    > GET /v2/acme/dns/manifests/1.1.0 | accept: application/vnd.docker.distribution.manifest.v2+json
    404
    cache-control: no-store
    content-length: 145
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"the manifest is `application/vnd.oci.image.index.v1+json`, which the request does not accept"}]}
    "#);
}

#[test]
fn nothing_refers_to_anything() {
    assert_transcript!([
        "GET /v2/acme/dns/referrers/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3",
        "GET /v2/acme/dns/referrers/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3?artifactType=x",
        "GET /v2/acme/nothing/referrers/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3",
    ], @r#"
    > GET /v2/acme/dns/referrers/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    200
    cache-control: public, max-age=5
    content-length: 88
    content-type: application/vnd.oci.image.index.v1+json
    etag: "dff9de10919148711140d349bf03f1a99eb06f94b03e51715ccebfa7cdc518e2"

    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}

    > GET /v2/acme/dns/referrers/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3?artifactType=x
    200
    cache-control: public, max-age=5
    content-length: 88
    content-type: application/vnd.oci.image.index.v1+json
    etag: "dff9de10919148711140d349bf03f1a99eb06f94b03e51715ccebfa7cdc518e2"

    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[]}

    > GET /v2/acme/nothing/referrers/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    404
    cache-control: no-store
    content-length: 96
    content-type: application/json

    {"errors":[{"code":"NAME_UNKNOWN","message":"provider `localhost/acme/nothing` was not found"}]}
    "#);
}

/// The requests of the pull category of the specification's conformance suite (version 1.1), in its order: it asks for
/// every tag and digest as an image manifest.
#[test]
fn the_conformance_suite_gets_what_it_pulls() {
    assert_transcript!([
        "HEAD /v2/acme/dns/blobs/sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "HEAD /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae",
        "HEAD /v2/acme/dns/manifests/.INVALID_MANIFEST_NAME",
        "HEAD /v2/acme/dns/manifests/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3 | accept: application/vnd.oci.image.manifest.v1+json",
        "HEAD /v2/acme/dns/manifests/1.1.0 | accept: application/vnd.oci.image.manifest.v1+json",
        "GET /v2/acme/dns/manifests/.INVALID_MANIFEST_NAME",
        "GET /v2/acme/dns/manifests/sha256:totallywrong | content-type: application/vnd.oci.image.manifest.v1+json",
    ], @r#"
    > HEAD /v2/acme/dns/blobs/sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9
    404
    cache-control: no-store
    content-length: 180
    content-type: application/json

    > HEAD /v2/acme/dns/blobs/sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    200
    accept-ranges: bytes
    cache-control: public, max-age=31536000, immutable
    content-length: 51
    content-type: application/octet-stream
    docker-content-digest: sha256:d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae
    etag: "d0ec2f7ddeda47185e5eca7fde1c138303d5a15073875816ed85910a38e52cae"

    > HEAD /v2/acme/dns/manifests/.INVALID_MANIFEST_NAME
    404
    cache-control: no-store
    content-length: 146
    content-type: application/json

    > HEAD /v2/acme/dns/manifests/sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3 | accept: application/vnd.oci.image.manifest.v1+json
    200
    cache-control: public, max-age=31536000, immutable
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    > HEAD /v2/acme/dns/manifests/1.1.0 | accept: application/vnd.oci.image.manifest.v1+json
    200
    cache-control: public, max-age=5
    content-length: 1094
    content-type: application/vnd.oci.image.index.v1+json
    docker-content-digest: sha256:87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3
    etag: "87dacb54f8938350bf75ade3f6dfc5d6b9b71e178cc54764d5fc59d88cad12d3"

    > GET /v2/acme/dns/manifests/.INVALID_MANIFEST_NAME
    404
    cache-control: no-store
    content-length: 146
    content-type: application/json

    {"errors":[{"code":"MANIFEST_UNKNOWN","message":"tag `.INVALID_MANIFEST_NAME` is none of a version, which is written in full, with `_` for `+`"}]}

    > GET /v2/acme/dns/manifests/sha256:totallywrong | content-type: application/vnd.oci.image.manifest.v1+json
    400
    cache-control: no-store
    content-length: 136
    content-type: application/json

    {"errors":[{"code":"DIGEST_INVALID","message":"`sha256:totallywrong` is not a digest: `sha256:` and 64 lower-case hexadecimal digits"}]}
    "#);
}
