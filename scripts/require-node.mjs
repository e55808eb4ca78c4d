// Imported first by every command: an old Node should hear one clear sentence, not a syntax error from a dependency.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = engines.node
  .replace(/[^\d.]/g, '')
  .split('.')
  .map(Number)
const [currentMajor, currentMinor] = process.versions.node.split('.').map(Number)

if (currentMajor < major || (currentMajor === major && currentMinor < minor)) {
  console.error(`Lastcall needs Node ${major}.${minor} or newer, and this is Node ${process.versions.node}.`)
  process.exit(1)
}
