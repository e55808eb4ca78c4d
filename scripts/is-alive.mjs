import { readFileSync } from 'node:fs'
import { codeOf } from '../lib/kernel/caught-error.mjs'

/**
 * Whether a process runs. One that has ended, but whose parent has not collected it yet, does not count.
 * @param {number | undefined} pid
 */
export function isAlive(pid) {
  if (pid === undefined) return false
  try {
    if (process.platform === 'linux') return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return process.kill(pid, 0)
  } catch (error) {
    // The process belongs to another user.
    return ['EPERM', 'EACCES'].includes(codeOf(error) ?? '')
  }
}
