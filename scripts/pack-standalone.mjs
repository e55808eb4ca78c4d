// Completes .next/standalone, where Next has put the application with the files that it needs: adds what browsers load, our
// own server, and the migrations. The folder can then be copied anywhere.
import { cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from './run-command.mjs'

/** What runs in the copy beside Next: our server, and `npm run migrate`. */
const PROGRAMS = ['scripts/serve.mjs', 'prisma/migrate.mjs']
/** What these programs read, although their imports do not name it. */
const FOLDERS = ['public', '.next/static', 'prisma/migrations', 'prisma/schema']
const FILES = ['prisma/carry-over.sql']

/** Completes the copy that `next build` has made. */
export async function packStandalone() {
  const target = path.join(root, '.next', 'standalone')
  for (const name of [...FOLDERS, ...FILES])
    cpSync(path.join(root, name), path.join(target, name), { recursive: true, verbatimSymlinks: true })
  for (const name of await traceFiles()) copyOnce(path.join(root, name), path.join(target, name))
}

/** @returns {Promise<string[]>} the programs and every file that they load, from the root */
async function traceFiles() {
  // Next brings the tracer that it uses itself, without types.
  /** @type {{ nodeFileTrace: (files: string[], options: { base: string, ignore: string[] }) => Promise<{ fileList: Set<string> }> }} */
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  // Next has copied the part of itself that serves a build; the tracer would add the part that makes one.
  const ignore = ['node_modules/next/**', 'node_modules/sharp/**', 'node_modules/@img/**', '.next/**', 'next.config.js']
  const { fileList } = await nodeFileTrace(PROGRAMS, { base: root, ignore })
  return [...fileList]
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyOnce(from, to) {
  if (existsSync(to)) return
  mkdirSync(path.dirname(to), { recursive: true })
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else cpSync(from, to)
}
