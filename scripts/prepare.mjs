// Prepares what other commands need before they run: the dependencies, the Prisma client and the build. Each is
// prepared only when it is missing or out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compressStaticFiles } from '../lib/server/compress-static-files.mjs'
import { hintCompilation } from '../lib/server/hint-compilation.mjs'
import { hashBuildInputs, hashPrismaInputs } from './hash-inputs.mjs'
import { step } from './output.mjs'
import { nodeBin, root, runOrRefuse } from './run-command.mjs'
import { withLock } from './with-lock.mjs'

const installedList = path.join(root, 'node_modules', '.package-lock.json')
const prismaStamp = path.join(root, 'node_modules', '.prisma', 'client', '.lastcall')
const standaloneServer = path.join(root, '.next', 'standalone', 'server.js')
const buildStamp = path.join(root, '.next', '.lastcall')

/** Installs the dependencies and generates the Prisma client. `next dev` and the checks need nothing else. */
export async function prepare() {
  if (isInstalled() && (await isPrismaClientCurrent())) return
  // When two commands start at the same moment in a fresh clone, the second one waits and then finds the work done.
  await withLock('prepare', async () => {
    if (!isInstalled()) await step('Dependencies installed', install)
    if (!(await isPrismaClientCurrent())) await step('Prisma client generated', generatePrismaClient)
  })
}

/**
 * Makes the production build.
 * @param {{ isStandalone?: boolean }} [options] `isStandalone`: also make .next/standalone
 * @returns {Promise<boolean>} false when the existing build is up to date
 */
export async function prepareBuild({ isStandalone = false } = {}) {
  const isCurrent = async () => (!isStandalone || existsSync(standaloneServer)) && (await isBuildCurrent())
  if (await isCurrent()) return false
  return withLock('prepare', async () => {
    if (await isCurrent()) return false
    await step('Application built', () => build(isStandalone))
    return true
  })
}

/** Keeps Next from sending telemetry and from adding other platforms' packages to the lock file. */
export const NEXT_ENVIRONMENT = { NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' }

/** @typedef {Record<string, { version?: string, optional?: boolean }>} Packages */

const readText = (/** @type {string} */ file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/**
 * Compares npm's list of installed packages with the lock file. A stamp of our own would not notice an `npm install`.
 */
function isInstalled() {
  if (!existsSync(installedList)) return false
  /** @type {(file: string) => Packages} */
  const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = readPackages(installedList)
  return Object.entries(readPackages(path.join(root, 'package-lock.json'))).every(
    ([name, wanted]) => name === '' || wanted.optional || installed[name]?.version === wanted.version,
  )
}

async function install() {
  const { npm_execpath: npmFile } = process.env
  const [command, ...words] = npmFile?.endsWith('npm-cli.js') ? [process.execPath, npmFile] : ['npm']
  // `install --no-save` installs the versions of the lock file as `ci` does, but accepts a lock file that lacks the
  // binaries of other platforms. No install script of a package is needed, and some would download engines.
  const args = ['install', '--no-save', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  await runOrRefuse('Installing the dependencies', command ?? 'npm', [...words, ...args])
}

const isPrismaClientCurrent = async () => readText(prismaStamp) === (await hashPrismaInputs())

async function generatePrismaClient() {
  const env = {
    ...process.env,
    // `generate` requires a schema engine that it never runs, and would download one (ADR 0005). It gets Node's path
    // instead.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  }
  const hash = await hashPrismaInputs()
  const command = nodeBin('prisma/build/index.js', 'generate')
  await runOrRefuse('Generating the Prisma client', ...command, { env })
  writeFileSync(prismaStamp, hash)
}

async function isBuildCurrent() {
  return existsSync(path.join(root, '.next', 'BUILD_ID')) && readText(buildStamp) === (await hashBuildInputs())
}

/** @param {boolean} isStandalone */
async function build(isStandalone) {
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    ...NEXT_ENVIRONMENT,
    NODE_ENV: 'production',
    BUILD_STANDALONE: isStandalone ? '1' : '0',
  }
  const hash = await hashBuildInputs()
  await runOrRefuse('Building the application', ...nodeBin('next/dist/bin/next', 'build'), { env })
  hintCompilation(path.join(root, '.next'))
  await compressStaticFiles(path.join(root, '.next'))
  writeFileSync(buildStamp, hash)
}
