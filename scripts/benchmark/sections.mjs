/** The sections of a run, by name. */

import { measureArchive } from "./archive.mjs";
import { measureBundle } from "./bundle.mjs";
import { measureCompanion } from "./companion.mjs";
import { measureHttp } from "./http.mjs";
import { measurePublish } from "./publish.mjs";

export const MEASURES = {
  http: measureHttp,
  archive: measureArchive,
  bundle: measureBundle,
  companion: measureCompanion,
  publish: measurePublish,
};
