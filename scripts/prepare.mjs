// What must be there before anything runs: dependencies, the Prisma client, the build. Each is made only when stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { step } from './output.mjs'
import { hintCompilation } from './compile-hints.mjs'
import { withLock } from './process-lock.mjs'
import { nodeBin, root, runOrRefuse } from './run-command.mjs'
import { hashBuildInputs, hashPrismaInputs } from './stale.mjs'

const installedList = path.join(root, 'node_modules', '.package-lock.json')
const prismaStamp = path.join(root, 'node_modules', '.prisma', 'client', '.lastcall')
const buildStamp = path.join(root, '.next', '.lastcall')

/** Dependencies and the Prisma client: all that `next dev` and the checks need. */
export async function prepare() {
  if (isInstalled() && (await isPrismaClientCurrent())) return
  // Of two commands started at once on a fresh clone, the second waits and finds the work done.
  await withLock('prepare', async () => {
    if (!isInstalled()) await step('Dependencies installed', install)
    if (!(await isPrismaClientCurrent())) await step('Prisma client generated', generatePrismaClient)
  })
}

/** The production build. */
export async function prepareBuild() {
  if (await isBuildCurrent()) return
  await withLock('prepare', async () => {
    if (!(await isBuildCurrent())) await step('Application built', build)
  })
}

/** Next neither calls home nor adds other platforms' packages to the lock file. */
export const NEXT_ENVIRONMENT = { NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' }

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** Compares what npm says it installed with the lock file: a stamp of our own would not notice `npm install`. */
function isInstalled() {
  if (!existsSync(installedList)) return false
  const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = readPackages(installedList)
  return Object.entries(readPackages(path.join(root, 'package-lock.json'))).every(
    ([name, wanted]) => name === '' || wanted.optional || installed[name]?.version === wanted.version,
  )
}

async function install() {
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // `install --no-save` takes the versions of the lock file like `ci`, but forgives a lock file that was written where
  // the registry lacks other platforms' binaries. No package's own script is needed, and some would download engines.
  const args = ['install', '--no-save', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  await runOrRefuse('Installing the dependencies', npm[0], [...npm.slice(1), ...args])
}

const isPrismaClientCurrent = async () => readText(prismaStamp) === (await hashPrismaInputs())

async function generatePrismaClient() {
  const env = {
    ...process.env,
    // `generate` insists on a schema engine that it never runs, and would download one (docs/adr/0005).
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

async function build() {
  const env = { ...process.env, ...NEXT_ENVIRONMENT, NODE_ENV: 'production' }
  const hash = await hashBuildInputs()
  await runOrRefuse('Building the application', ...nodeBin('next/dist/bin/next', 'build'), { env })
  hintCompilation(path.join(root, '.next'))
  // Not before the install: it needs a package.
  const { squeezeStaticFiles } = await import('./static-files.mjs')
  await squeezeStaticFiles(path.join(root, '.next'))
  writeFileSync(buildStamp, hash)
}
