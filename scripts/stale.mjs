// Hashes of everything a generated thing is made of: equal hash, nothing to do.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './run-command.mjs'

const BUILD_FOLDERS = ['app', 'components', 'lib', 'prisma', 'public']
const BUILD_FILES =
  /^((middleware|proxy|instrumentation(-client)?)\.[jt]sx?|(next|postcss|tailwind)\.config\.\w+|tsconfig\.json|package-lock\.json)$/
/** What happens to a build after Next has made it. */
const FINISHING = ['scripts/compile-hints.mjs', 'scripts/static-files.mjs']
const NOT_BUILT = /\.test\.tsx?$|\.md$|^prisma\/migrations\//

/** Inputs of `next build`. No variable is one: what the browser needs to know the server tells it (lib/infra/env.ts). */
export async function hashBuildInputs() {
  const [top, ...folders] = await Promise.all([readdir(root), ...BUILD_FOLDERS.map(listFiles)])
  const files = [...top.filter((name) => BUILD_FILES.test(name)), ...folders.flat(), ...FINISHING]
  return hashFiles(files.filter((file) => !NOT_BUILT.test(file)))
}

/** Inputs of `prisma generate`. */
export async function hashPrismaInputs() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const files = [...(await listFiles('prisma/schema')), 'prisma.config.ts']
  return hashFiles(files, packages['node_modules/prisma'].version)
}

async function listFiles(folder) {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
}

async function hashFiles(files, salt = '') {
  const hash = createHash('sha256').update(salt)
  const sorted = files.toSorted()
  const contents = await Promise.all(sorted.map((file) => readFile(path.join(root, file))))
  contents.forEach((content, index) => hash.update(`\0${sorted[index]}\0${content.length}\0`).update(content))
  return hash.digest('hex')
}
