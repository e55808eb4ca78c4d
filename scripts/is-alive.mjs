import { readFileSync } from 'node:fs'
import { codeOf } from '../lib/kernel/caught-error.mjs'

/**
 * Returns whether a process runs. On Linux, a process that has ended, but whose parent has not collected its exit code,
 * does not count.
 * @param {number | undefined} pid
 */
export function isAlive(pid) {
  if (pid === undefined) return false
  try {
    if (process.platform === 'linux') return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but it belongs to another user.
    return ['EPERM', 'EACCES'].includes(codeOf(error) ?? '')
  }
}
