// The environment as the start script hands it to the application: from the shell, from .env files, and generated.
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { readEnvironment } from '../lib/infra/env-rules.mjs'
import { Refusal } from './output.mjs'
import { root } from './run-command.mjs'

/**
 * Loads the .env files (the shell wins) and checks every value.
 * @param {'production' | 'development'} mode
 * @throws {Refusal} with one line per variable
 */
export function loadEnvironment(mode) {
  // Next looks into the same files; from here on it need not, and tests can keep a developer's .env.local out.
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

/** Secrets of this installation, generated once; two starts at the same moment agree on them. */
export function readOrCreateSecrets(dataDir) {
  const file = path.join(dataDir, 'secrets.json')
  if (!readSecrets(file)) {
    // Links never show half a file, so one that cannot be read was cut off by a power failure.
    rmSync(file, { force: true })
    const generate = () => randomBytes(32).toString('base64url')
    const draft = writePrivateDraft(file, JSON.stringify({ authSecret: generate(), cronSecret: generate() }, null, 2))
    publish(draft, file)
  }
  return readSecrets(file)
}

function publish(draft, file) {
  try {
    linkSync(draft, file)
    rmSync(draft)
  } catch (error) {
    // EEXIST: the other start was faster. Anything else: a file system without links.
    if (error.code === 'EEXIST') rmSync(draft)
    else renameSync(draft, file)
  }
}

function readSecrets(file) {
  try {
    const { authSecret, cronSecret } = JSON.parse(readFileSync(file, 'utf8'))
    return authSecret && cronSecret ? { authSecret, cronSecret } : null
  } catch {
    return null
  }
}

/** Replaces a file that only its owner may read. */
export function writePrivate(file, text) {
  renameSync(writePrivateDraft(file, text), file)
}

function writePrivateDraft(file, text) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  return draft
}

export function createDataDir(dataDir) {
  try {
    // Root's Postgres runs as another user, who must pass through to a folder of its own.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Refusal(`DATA_DIR is "${dataDir}": it cannot be written to (${error.code}). Give a folder of yours.`)
  }
}
