// Every command in this folder imports this file first, so that an old version of Node leads to one clear message
// instead of a syntax error in a dependency.
import { readFileSync } from 'node:fs'

const packageFile = new URL('../package.json', import.meta.url)
/** @type {{ engines: { node: string } }} */
const { engines } = JSON.parse(readFileSync(packageFile, 'utf8'))
const [major = 0, minor = 0] = numbersOf(engines.node)
const [currentMajor = 0, currentMinor = 0] = numbersOf(process.versions.node)

if (currentMajor < major || (currentMajor === major && currentMinor < minor)) {
  console.error(`Lastcall needs Node ${major}.${minor} or newer, and this is Node ${process.versions.node}.`)
  process.exit(1)
}

/** @param {string} version */
function numbersOf(version) {
  return version
    .replace(/[^\d.]/g, '')
    .split('.')
    .map(Number)
}
