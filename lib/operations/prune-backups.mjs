import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { manifestFile } from './backup-format.mjs'

/** The names that `npm run backup` gives its folders. Other folders, such as those of a restore, do not match. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

/**
 * Deletes all backups in a folder except the newest ones. A backup that was not finished cannot be restored, so it does
 * not count, but it is deleted with the older ones.
 * @param {string} folder
 * @param {number} keep how many finished backups stay
 * @returns {string[]} the names of the deleted backups
 */
export function pruneBackups(folder, keep) {
  const all = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
  const oldestKept = all.filter((name) => existsSync(manifestFile(path.join(folder, name)))).at(-keep)
  const old = all.filter((name) => oldestKept !== undefined && name < oldestKept)
  for (const name of old) rmSync(path.join(folder, name), { recursive: true, force: true })
  return old
}
