// Hashes the files from which the build and the Prisma client are made. While a hash stays the same, the build or the
// client does not have to be made again.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './run-command.mjs'

const BUILD_FOLDERS = ['app', 'components', 'lib', 'prisma', 'public']
const BUILD_FILES =
  /^((middleware|proxy|instrumentation(-client)?)\.[jt]sx?|(next|postcss|tailwind)\.config\.\w+|tsconfig\.json|package-lock\.json)$/
/** Files in these folders that are not part of the build: tests, documents, and programs that run outside the build. */
const NOT_BUILT = [/\.test\.tsx?$/, /\.md$/, /^prisma\/migrations\//, /^lib\/(artwork|server)\//]
/**
 * Files of lib/server that are inputs: two that finish the build after Next, and files that instrumentation.ts loads.
 */
const SERVER_INPUTS = [
  ...['compress-static-files', 'hint-compilation'],
  ...['guard-servers', 'receive-request', 'drain-request', 'explain-method-not-allowed', 'path-of', 'correct-status'],
  ...['limit-page-body', 'is-file-path', 'send-refusal', 'network-of-visitor', 'address-of-request'],
  ...['wait-for-turn', 'posted-paths', 'is-router-request'],
].map((name) => `lib/server/${name}.mjs`)

/**
 * Hashes the inputs of the build. Environment variables are not inputs, because the running server reads them and sends
 * the browser what it needs to know about them (lib/infra/env.ts).
 */
export async function hashBuildInputs() {
  const [top, ...folders] = await Promise.all([readdir(root), ...BUILD_FOLDERS.map(listFiles)])
  const files = [...top.filter((name) => BUILD_FILES.test(name)), ...folders.flat()]
  return hashFiles([...files.filter((file) => !NOT_BUILT.some((pattern) => pattern.test(file))), ...SERVER_INPUTS])
}

/** Hashes the inputs of `prisma generate`. */
export async function hashPrismaInputs() {
  /** @type {{ packages: Record<string, { version: string }> }} */
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const files = [...(await listFiles('prisma/schema')), 'prisma.config.ts']
  return hashFiles(files, packages['node_modules/prisma']?.version)
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} paths from the root, with slashes; none when there is no such folder
 */
async function listFiles(folder) {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
}

/**
 * @param {string[]} files
 * @param {string} [salt]
 */
async function hashFiles(files, salt = '') {
  const hash = createHash('sha256').update(salt)
  const sorted = files.toSorted()
  const contents = await Promise.all(sorted.map((file) => readFile(path.join(root, file))))
  contents.forEach((content, index) => hash.update(`\0${sorted[index]}\0${content.length}\0`).update(content))
  return hash.digest('hex')
}
