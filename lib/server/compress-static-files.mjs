import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Matches the files that are worth compressing. Fonts, and pictures other than SVG, are already compressed. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|txt)$/

/** The compressors, by the file extension for which sirv looks. */
const compressors = {
  gz: (/** @type {Buffer} */ bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  br: (/** @type {Buffer} */ bytes) => promisify(brotliCompress)(bytes),
}

/**
 * Writes compressed copies beside the static files of a build, which `serveStaticFiles` then serves. A copy that would
 * not be smaller than its file is not written.
 * @param {string} buildDir where `next build` wrote
 */
export async function compressStaticFiles(buildDir) {
  const folder = path.join(buildDir, 'static')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(names.map((name) => compressFile(path.join(folder, name))))
}

/** @param {string} file */
async function compressFile(file) {
  const bytes = readFileSync(file)
  for (const [ending, compress] of Object.entries(compressors)) {
    const compressed = await compress(bytes)
    if (compressed.byteLength < bytes.byteLength) writeFileSync(`${file}.${ending}`, compressed)
  }
}
