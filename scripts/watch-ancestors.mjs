import { readFileSync } from 'node:fs'

const INTERVAL_MS = 250

/**
 * Calls back once when npm, or the shell that npm put between itself and this process, has ended. npm passes a signal on to
 * that shell only: without this the server would stay behind and keep its port.
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
 * @returns {string | undefined} the parent of a process, on systems that have it in a file (Linux)
 */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
