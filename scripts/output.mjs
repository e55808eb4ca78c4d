// Formats the output of the commands, which print one line for each step and details only when something fails.

/** @param {number} ms */
export function formatDuration(ms) {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/**
 * Runs one step and prints one line with its duration.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function step(title, run) {
  const startedAt = Date.now()
  if (process.stdout.isTTY) process.stdout.write(`… ${title}\r`)
  const result = await run()
  console.log(`✓ ${title} (${formatDuration(Date.now() - startedAt)})`)
  return result
}
