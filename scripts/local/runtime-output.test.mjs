/** Which lines of the runtime are for the user. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionFilter } from "./runtime-output.mjs";

test("hides broken connections and nothing else", () => {
  const isShown = connectionFilter();
  const shown = [
    "Error: thrown by the Worker",
    "error: said by the Worker",
    "kj/compat/tls.c++:535: error: error accepting tls connection; OpenSSL error; message = error:10000070:SSL",
    "error:1000008b:SSL routines:OPENSSL_internal:DECRYPTION_FAILED_OR_BAD_RECORD_MAC; clientId = 127.0.0.1:56850",
    "stack: /node_modules/workerd@3578490 /node_modules/workerd@357f450",
    "Critical Error: Rust panic: panicked at src/lib.rs",
    "stack: of the Worker",
  ].filter(isShown);
  assert.deepEqual(shown, [
    "Error: thrown by the Worker",
    "error: said by the Worker",
    "Critical Error: Rust panic: panicked at src/lib.rs",
    "stack: of the Worker",
  ]);
});
