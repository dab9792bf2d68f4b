/** The sections of a run, by name. */

import { measureArchive } from "./archive.mjs";
import { measureBundle } from "./bundle.mjs";
import { measureCompanion } from "./companion.mjs";
import { measureHttp } from "./http.mjs";
import { measureOci } from "./oci.mjs";
import { measurePublish } from "./publish.mjs";

export const MEASURES = {
  http: measureHttp,
  oci: measureOci,
  archive: measureArchive,
  bundle: measureBundle,
  companion: measureCompanion,
  publish: measurePublish,
};
