import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'
import { nodeBin, runCommand } from './run-command.mjs'

/**
 * @typedef {{ CHROMIUM_PATH: string, CHROMIUM_SANDBOX: '0' | '1' }} Browser variables that playwright.config.ts reads
 */

const INSTALL_MS = 5 * 60_000
const TRY_MS = 60_000
/**
 * The headless shell comes first. It is the same engine without the browser's own windows, which a full Chromium also
 * renders for every tab when it is headless, so that the browser tests take about half as long.
 */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const isRoot = process.getuid?.() === 0

/**
 * Finds a Chromium for the browser tests on this machine, and installs one when there is none.
 * @returns {Promise<Browser>}
 * @throws {Refusal} when there is none and none can be installed
 */
export async function findBrowser() {
  const found = await firstThatRuns()
  if (found) return found
  await runCommand(...nodeBin('@playwright/test/cli.js', 'install', 'chromium'), { timeoutMs: INSTALL_MS })
  const downloaded = await firstThatRuns()
  if (downloaded) return downloaded
  if (isRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await runCommand('apt-get', ['update'], { timeoutMs: INSTALL_MS })
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await runCommand('apt-get', ['install', '-y', name], { env, timeoutMs: INSTALL_MS })
      const installed = await firstThatRuns()
      if (installed) return installed
    }
  }
  throw new Refusal('There is no Chromium, and none could be installed: install one, or set CHROMIUM_PATH to it.')
}

/** @returns {Promise<Browser | null>} */
async function firstThatRuns() {
  // This import is not at the top, because this file is loaded before the packages are installed.
  const { chromium } = await import('@playwright/test')
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...SYSTEM_NAMES.map(which), MAC_CHROME]
  /** @type {('0' | '1')[]} root cannot use Chromium's sandbox, and a system may forbid it to everyone */
  const sandboxes = isRoot ? ['0'] : ['1', '0']
  for (const file of candidates) {
    if (!file) continue
    for (const sandbox of sandboxes) {
      if (rendersPage(file, sandbox)) return { CHROMIUM_PATH: file, CHROMIUM_SANDBOX: sandbox }
    }
  }
  return null
}

/** @param {string} name */
function which(name) {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Returns whether a Chromium works. Some exist but do not run, such as a stub that needs a snap, or a download whose
 * libraries are missing.
 * @param {string} file
 * @param {'0' | '1'} sandbox
 */
function rendersPage(file, sandbox) {
  const profile = mkdtempSync(path.join(tmpdir(), 'lastcall-chromium-'))
  const flags = ['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
  if (sandbox === '0') flags.push('--no-sandbox')
  const page = 'data:text/html,<p>it renders</p>'
  const words = [...flags, `--user-data-dir=${profile}`, '--dump-dom', page]
  const { status, stdout } = spawnSync(file, words, { encoding: 'utf8', timeout: TRY_MS })
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  return status === 0 && stdout.includes('it renders')
}
