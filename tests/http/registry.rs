//! The registry protocol: discovery, versions and packages.

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
