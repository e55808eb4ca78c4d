// A Chromium for the browser tests, from wherever this machine has one.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Refusal } from './output.mjs'
import { nodeBin, runCommand } from './run-command.mjs'

const INSTALL_MS = 5 * 60_000
const TRY_MS = 60_000
const SYSTEM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const isRoot = process.getuid?.() === 0

/**
 * @returns {Promise<{ CHROMIUM_PATH: string, CHROMIUM_SANDBOX: '0' | '1' }>} what playwright.config.ts reads
 * @throws {Refusal} when there is none and none can be installed
 */
export async function findBrowser() {
  const attempts = [
    () => {},
    () => runCommand(...nodeBin('@playwright/test/cli.js', 'install', 'chromium'), { timeoutMs: INSTALL_MS }),
    () => isRoot && runCommand('apt-get', ['update'], { timeoutMs: INSTALL_MS }),
  ]
  for (const [index, install] of attempts.entries()) {
    await install()
    if (index === 2 && isRoot) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      await runCommand('apt-get', ['install', '-y', 'chromium'], { env, timeoutMs: INSTALL_MS })
    }
    const found = await firstThatRuns()
    if (found) return found
  }
  throw new Refusal('There is no Chromium, and none could be installed: install one, or set CHROMIUM_PATH to it.')
}

async function firstThatRuns() {
  const { chromium } = await import('@playwright/test')
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), ...SYSTEM_NAMES.map(which), MAC_CHROME]
  for (const file of candidates.filter(Boolean)) {
    // Root cannot use the sandbox; elsewhere the system may forbid it.
    for (const sandbox of isRoot ? ['0'] : ['1', '0']) {
      if (rendersPage(file, sandbox)) return { CHROMIUM_PATH: file, CHROMIUM_SANDBOX: sandbox }
    }
  }
  return null
}

function which(name) {
  const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Some are there and do not run: a stub that wants a snap, a download without its libraries. */
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
