//! What became of a signing key, and what that means to what it signed.

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
