// The environment that the start script hands to the application: variables of the shell, of .env files, and generated
// secrets.
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
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
import { Refusal } from '../lib/operations/refusal.mjs'
import { root } from './run-command.mjs'

/** @typedef {{ authSecret: string, cronSecret: string }} Secrets */

/**
 * Loads the .env files and checks every value. A variable that the shell sets wins over the files.
 * @param {'production' | 'development'} mode
 * @throws {Refusal} with one line per variable
 */
export function loadEnvironment(mode) {
  // Next reads the same files unless this variable is set. Tests set it to keep a developer's .env.local out.
  if (!process.env.__NEXT_PROCESSED_ENV) {
    for (const name of [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env']) {
      const file = path.join(root, name)
      if (existsSync(file)) process.loadEnvFile(file)
    }
    process.env.__NEXT_PROCESSED_ENV = 'true'
  }
  const { values, problems } = readEnvironment(process.env)
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  return { ...values, dataDir: path.resolve(root, values.dataDir) }
}

/**
 * The secrets of this installation. They are generated once; two starts at the same moment end up with the same ones.
 * @param {string} dataDir
 * @returns {Secrets}
 */
export function readOrCreateSecrets(dataDir) {
  const file = path.join(dataDir, 'secrets.json')
  const known = readSecrets(file)
  if (known) return known
  // The file appears complete, by a link; so one that cannot be read was cut off by a power failure.
  rmSync(file, { force: true })
  const generate = () => randomBytes(32).toString('base64url')
  const secrets = { authSecret: generate(), cronSecret: generate() }
  publish(writePrivateDraft(file, JSON.stringify(secrets, null, 2)), file)
  // Another start may have been faster: its secrets are the ones in the file.
  return readSecrets(file) ?? secrets
}

/**
 * Gives a finished draft its name, unless the name is taken.
 * @param {string} draft
 * @param {string} file
 */
function publish(draft, file) {
  try {
    linkSync(draft, file)
    rmSync(draft)
  } catch (error) {
    // EEXIST: the other start was faster. Any other error: the file system has no links.
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
 * Replaces a file that only its owner may read.
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
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  return draft
}

/** What lies in DATA_DIR, except for Postgres, which protects its own files. Earlier versions let others read it. */
const FOLDERS = ['uploads', 'tmp', 'backups']
const FILES = ['secrets.json', 'database-url', 'demo-logins.json']

/**
 * Creates the folder for data, and closes it to the other users of this machine: buyers' files and secrets lie in it.
 * @param {string} dataDir
 * @throws {Refusal} when it cannot be written to
 */
export function createDataDir(dataDir) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = path.join(dataDir, `.probe-${process.pid}`)
    writeFileSync(probe, 'Can this be written?', { mode: 0o600, flush: true })
    rmSync(probe)
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
    const problem = isFull ? 'its disk is full' : `it cannot be written to (${codeOf(error)})`
    const remedy = isFull ? 'Free some space, or give a folder on another disk.' : 'Give a folder of yours.'
    throw new Refusal(`DATA_DIR is "${dataDir}": ${problem}. ${remedy}`)
  }
  // The group may pass through where Postgres runs as a user of its own (scripts/postgres/prepare-launch.mjs).
  restrict(dataDir, 0o710)
  for (const name of FOLDERS) restrict(path.join(dataDir, name), 0o700)
  for (const name of FILES) restrict(path.join(dataDir, name), 0o600)
}

/**
 * Takes permissions away from a file or folder, if it is there and ours.
 * @param {string} file
 * @param {number} mode the permissions that may stay
 */
function restrict(file, mode) {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found && found.uid === process.getuid?.()) chmodSync(file, found.mode & mode)
}
