import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/**
 * @param {string} file
 * @returns {Promise<string>} the SHA-256 checksum of the file, in hexadecimal digits
 */
export async function hashFile(file) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}
