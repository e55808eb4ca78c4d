import { accessSync, constants, realpathSync } from 'node:fs'
import path from 'node:path'

const NAMES = ['firefox-esr', 'firefox']
const MAC_FIREFOX = '/Applications/Firefox.app/Contents/MacOS/firefox'

/**
 * Returns the path of a Firefox on this machine, or null if there is none. FIREFOX_PATH comes first. A Firefox from a
 * snap counts as none, because it cannot read the profile in the temporary folder.
 * @returns {string | null}
 */
export function findFirefox() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const installed = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [process.env.FIREFOX_PATH ?? '', ...installed, MAC_FIREFOX].find(isUsable) ?? null
}

/** @param {string} file */
function isUsable(file) {
  try {
    accessSync(file, constants.X_OK)
    return !/\bsnap\b/.test(realpathSync(file))
  } catch {
    return false
  }
}
