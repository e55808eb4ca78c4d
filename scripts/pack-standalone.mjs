// Completes .next/standalone, where Next has put the application. This adds the files that browsers load, our own
// server and the migrations. The folder can then be copied anywhere.
import { cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from './run-command.mjs'

/** The programs of the copy: our server, and the one that `npm run migrate` runs. */
const PROGRAMS = ['scripts/serve.mjs', 'prisma/migrate.mjs']
/** The folders that these programs read without importing them. */
const FOLDERS = ['public', '.next/static', 'prisma/migrations', 'prisma/earlier', 'prisma/schema']
/**
 * Folders that Next may have copied, because it cannot know in which folder the uploads are. The standalone copy needs
 * none of them, and .data holds what was uploaded on this machine.
 */
const NOT_OURS = ['.data', 'tests', 'bench']

/** Completes the copy that `next build` has made. */
export async function packStandalone() {
  const target = path.join(root, '.next', 'standalone')
  for (const name of NOT_OURS) rmSync(path.join(target, name), { recursive: true, force: true })
  for (const name of FOLDERS)
    cpSync(path.join(root, name), path.join(target, name), { recursive: true, verbatimSymlinks: true })
  for (const name of await traceFiles()) copyOnce(path.join(root, name), path.join(target, name))
}

/** @returns {Promise<string[]>} the programs and every file that they load, as paths relative to the root */
async function traceFiles() {
  // This tracer comes with Next, which uses it for its own build. It has no types.
  /**
   * @type {{ nodeFileTrace: (files: string[], options: { base: string, ignore: string[] }) => Promise<{ fileList:
   * Set<string> }> }}
   */
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  // Next has already copied the part of itself that serves a build. The tracer would also add the part that makes
  // builds.
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
