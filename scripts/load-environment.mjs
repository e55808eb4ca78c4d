// Prepares the environment that the start script passes to the application: variables from the shell and from .env
// files, and generated secrets.
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { readEnvironment } from '../lib/infra/env-rules.mjs'
import { codeOf } from '../lib/kernel/caught-error.mjs'
import { loadEnvFiles } from '../lib/operations/load-env-files.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { root } from './run-command.mjs'

/**
 * @import { Databases } from './await-databases.mjs'
 * @typedef {{ authSecret: string, cronSecret: string }} Secrets
 */

/**
 * Loads the .env files and checks every value. A variable that is set in the shell takes precedence over the files.
 * @param {'production' | 'development'} mode
 * @throws {Refusal} with one line per problem
 */
export function loadEnvironment(mode) {
  loadEnvFiles(process.env, root, mode)
  const { values, problems } = readEnvironment(process.env)
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  return { ...values, dataDir: path.resolve(root, values.dataDir) }
}

/**
 * Sets the variables from which the application, its tools and next-auth read the environment of this start.
 * @param {Pick<ReturnType<typeof loadEnvironment>, 'port' | 'appUrl' | 'dataDir' | 'seedDemo'>} environment
 * @param {Databases} databases
 * @param {Secrets} secrets
 */
export function exportEnvironment(environment, databases, { authSecret, cronSecret }) {
  const { port, appUrl, dataDir, seedDemo } = environment
  const { databaseUrl, directDatabaseUrl, readDatabaseUrl } = databases
  Object.assign(process.env, {
    PORT: String(port),
    APP_URL: appUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DIRECT_DATABASE_URL: directDatabaseUrl ?? '',
    READ_DATABASE_URL: readDatabaseUrl ?? '',
    AUTH_SECRET: authSecret,
    CRON_SECRET: cronSecret,
    // This is decided here, because once DATABASE_URL is set the application cannot tell the embedded database from
    // another.
    SEED_DEMO: seedDemo ? '1' : '0',
    // next-auth reads these names.
    NEXTAUTH_URL: appUrl,
    NEXTAUTH_SECRET: authSecret,
  })
}

/**
 * Returns the secrets of this installation, and generates them at the first start. Two first starts at the same moment
 * get the same secrets.
 * @param {string} dataDir
 * @returns {Secrets}
 */
export function readOrCreateSecrets(dataDir) {
  const file = path.join(dataDir, 'secrets.json')
  const known = readSecrets(file)
  if (known) return known
  // publish() only ever makes a complete file visible, so a file that cannot be read was damaged by a power failure.
  rmSync(file, { force: true })
  const generate = () => randomBytes(32).toString('base64url')
  const secrets = { authSecret: generate(), cronSecret: generate() }
  publish(writePrivateDraft(file, JSON.stringify(secrets, null, 2)), file)
  // If another start was faster, the file contains the secrets of that start.
  return readSecrets(file) ?? secrets
}

/**
 * Gives a finished draft its final name. If another start has created that file, the draft is removed.
 * @param {string} draft
 * @param {string} file
 */
function publish(draft, file) {
  try {
    linkSync(draft, file)
    rmSync(draft)
  } catch (error) {
    // EEXIST means that another start was faster. Any other error probably means that the file system has no hard
    // links.
    if (codeOf(error) === 'EEXIST') rmSync(draft)
    else renameSync(draft, file)
  }
}

/**
 * @param {string} file
 * @returns {Secrets | null} null when there is no file, or not a complete one
 */
function readSecrets(file) {
  try {
    const { authSecret, cronSecret } = JSON.parse(readFileSync(file, 'utf8'))
    return authSecret && cronSecret ? { authSecret, cronSecret } : null
  } catch {
    return null
  }
}

/**
 * Writes a file that only its owner may read. An existing file is replaced atomically, so nobody sees it half written.
 * @param {string} file
 * @param {string} text
 */
export function writePrivate(file, text) {
  renameSync(writePrivateDraft(file, text), file)
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {string} the draft's name
 */
function writePrivateDraft(file, text) {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
  } catch (error) {
    // On a full disk the file is created, but its content cannot be written.
    rmSync(draft, { force: true })
    throw error
  }
  return draft
}

/** What DATA_DIR contains besides the files of Postgres, which protects its files itself. */
const FOLDERS = ['uploads', 'tmp', 'backups']
const FILES = ['secrets.json', 'database-url', 'demo-logins.json']

/**
 * Creates the folder for data. Other users of this machine may not read it, because it holds secrets and buyers' files.
 * @param {string} dataDir
 * @throws {Refusal} when it cannot be written to
 */
export function createDataDir(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = path.join(dataDir, `.probe-${process.pid}`)
    try {
      writeFileSync(probe, 'Can this be written?', { mode: 0o600, flush: true })
    } finally {
      // Remove the file even if the write failed: on a full disk the empty file is created, but its content cannot be
      // written.
      rmSync(probe, { force: true })
    }
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
    const problem = isFull ? 'its disk is full' : `it cannot be written to (${codeOf(error)})`
    const remedy = isFull
      ? 'Free some space, or choose a folder on another disk.'
      : 'Choose a folder that you can write to.'
    throw new Refusal(`DATA_DIR is "${dataDir}": ${problem}. ${remedy}`)
  }
  // The group may enter the folder, because Postgres may run as another user (scripts/postgres/prepare-launch.mjs).
  restrict(dataDir, 0o710)
  for (const name of FOLDERS) restrict(path.join(dataDir, name), 0o700)
  for (const name of FILES) restrict(path.join(dataDir, name), 0o600)
}

/**
 * Removes permissions from a file or folder if it exists and belongs to this user.
 * @param {string} file
 * @param {number} mode the permissions that may stay
 */
function restrict(file, mode) {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found && found.uid === process.getuid?.()) chmodSync(file, found.mode & mode)
}
