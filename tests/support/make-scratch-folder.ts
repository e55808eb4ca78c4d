import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Creates a temporary folder, and removes it when `remove` is called or when this process ends, even if a signal
 * handler ends the process and no `finally` block runs.
 */
export function makeScratchFolder(prefix: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), prefix))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  process.once('exit', remove)
  return { folder, remove }
}
