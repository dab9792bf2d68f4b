/** The arguments of scripts/dev, and of the servers that tests start. */

import { join, resolve } from "node:path";
import { ROOT } from "./root.mjs";
import { Refusal } from "./refusal.mjs";

/**
 * @typedef {object} Arguments
 * @property {boolean} help
 * @property {boolean} empty
 * @property {number} port
 * @property {string} state absolute path
 * @property {string} [log] absolute path
 * @property {string[]} [command] what stands after `--`
 *
 * @param {string[]} given
 * @returns {Arguments}
 */
export function parseArguments(given) {
  const end = given.indexOf("--");
  const command = end < 0 ? undefined : given.slice(end + 1);
  if (command?.length === 0) throw new Refusal("no command after `--`: name one, such as `-- tofu init`");
  const parsed = { help: false, empty: false, port: 8443, state: join(ROOT, ".wrangler/state"), command };
  const words = (end < 0 ? given : given.slice(0, end)).flatMap(splitFlag);
  while (words.length > 0) parseFlag(words.shift(), words, parsed);
  return parsed;
}

/** `--port=1` is `--port 1`. */
function splitFlag(word) {
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return flag === undefined ? [word] : [flag, value];
}

function parseFlag(flag, words, parsed) {
  switch (flag) {
    case "-h":
    case "--help":
      parsed.help = true;
      break;
    case "--empty":
      parsed.empty = true;
      break;
    case "--port":
      parsed.port = parsePort(valueOf(flag, words));
      break;
    case "--state":
      parsed.state = resolve(valueOf(flag, words));
      break;
    case "--log":
      parsed.log = resolve(valueOf(flag, words));
      break;
    default:
      throw new Refusal(`unknown argument \`${flag}\`: see --help; a command to run stands after \`--\``);
  }
}

function valueOf(flag, words) {
  const value = words.shift();
  if (!value || value.startsWith("--")) throw new Refusal(`${flag} has no value: see --help`);
  return value;
}

function parsePort(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Refusal(`\`${text}\` is no port: pass a number up to 65535 (0 picks a free one)`);
}
