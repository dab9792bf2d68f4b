/**
 * What a command of this project prints when it cannot go on: one line that names the offending value and a remedy.
 * Its exit status is the companion's: 1 for refused input, 2 for a failure of something else.
 */
export class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status = 1) {
    super(message);
    this.status = status;
  }
}

/** Runs `main` and turns a Refusal into its line and its exit status; anything else is a bug and keeps its trace. */
export async function run(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = error.status;
  }
}
