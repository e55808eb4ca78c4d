import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** The names that `npm run backup` gives its folders. Other folders, such as those of a restore, do not match. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

/**
 * Deletes all backups in a folder except the newest ones.
 * @param {string} folder
 * @param {number} keep how many stay
 * @returns {string[]} the names of the deleted backups
 */
export function pruneBackups(folder, keep) {
  const old = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .slice(0, -keep)
  for (const name of old) rmSync(path.join(folder, name), { recursive: true, force: true })
  return old
}
