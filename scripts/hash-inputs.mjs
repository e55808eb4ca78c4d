// Hashes of everything that the build and the Prisma client are made of. While a hash is the same, nothing has to be made
// anew.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './run-command.mjs'

const BUILD_FOLDERS = ['app', 'components', 'lib', 'prisma', 'public']
const BUILD_FILES =
  /^((middleware|proxy|instrumentation(-client)?)\.[jt]sx?|(next|postcss|tailwind)\.config\.\w+|tsconfig\.json|package-lock\.json)$/
/** Files of these folders that are not part of the build: tests, and what runs beside the application or by hand. */
const NOT_BUILT = [/\.test\.tsx?$/, /\.md$/, /^prisma\/migrations\//, /^lib\/(artwork|server)\//]
/** Inputs in lib/server: two that work on the build after Next has made it, and those that instrumentation.ts brings in. */
const FINISHING = [
  ...['compress-static-files', 'hint-compilation'],
  ...['guard-servers', 'receive-request', 'drain-request', 'explain-method-not-allowed', 'path-of'],
].map((name) => `lib/server/${name}.mjs`)

/**
 * Hashes the inputs of the build. No environment variable is one of them: the server tells the browser what it needs to know
 * of the environment (lib/infra/env.ts).
 */
export async function hashBuildInputs() {
  const [top, ...folders] = await Promise.all([readdir(root), ...BUILD_FOLDERS.map(listFiles)])
  const files = [...top.filter((name) => BUILD_FILES.test(name)), ...folders.flat()]
  return hashFiles([...files.filter((file) => !NOT_BUILT.some((pattern) => pattern.test(file))), ...FINISHING])
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
