import { readFileSync } from 'node:fs'

const INTERVAL_MS = 250

/**
 * Calls `onGone` once when the parent of this process or the parent's parent has ended. npm starts a shell between
 * itself and this process, and passes a signal on to that shell only. Without this function the server would keep
 * running and keep its port. On systems other than Linux, only the end of the parent is noticed.
 * @param {() => void} onGone
 */
export function watchAncestors(onGone) {
  const parent = process.ppid
  const grandparent = parentOf(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOf(parent) === grandparent) return
    clearInterval(timer)
    onGone()
  }, INTERVAL_MS)
  timer.unref()
}

/**
 * @param {number} pid
 * @returns {string | undefined} the id of the parent process; undefined on systems other than Linux
 */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
