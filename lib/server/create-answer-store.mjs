/**
 * @template {{ freshUntil: number, bytes: number }} Answer
 * @typedef {object} AnswerStore
 * @property {(path: string) => Answer | undefined} get the answer while it is fresh
 * @property {(path: string) => Answer | undefined} peek the answer, fresh or not, for comparison
 * @property {(path: string, answer: Answer) => void} set
 * @property {(path: string) => void} forget removes the answers of a path, whatever the case of its letters
 * @property {() => void} clear
 * @property {(staleMs: number) => void} dropStale removes what has not been fresh for this long
 * @property {() => number} bytes
 * @property {() => number} size
 */

/**
 * The largest part of `maxBytes` that one answer may occupy. A larger answer would displace too many others, so it is
 * not kept.
 */
const MAX_PART = 1 / 16

/**
 * Creates a store that keeps answers in memory up to a number of bytes. The least recently used answer is removed
 * first. `get` never returns a stale answer.
 * @template {{ freshUntil: number, bytes: number }} Answer `freshUntil` is a time of `performance.now()`
 * @param {{ maxBytes: number }} options
 * @returns {AnswerStore<Answer>}
 */
export function createAnswerStore({ maxBytes }) {
  /** @type {Map<string, Answer>} in the order of the last use */
  const answers = new Map()
  /**
   * @type {Map<string, Set<string>>} the paths that differ only in the case of their letters, by the path in lower case
   */
  const spellings = new Map()
  let bytes = 0

  /** @param {string} path */
  function remove(path) {
    const answer = answers.get(path)
    if (!answer) return
    bytes -= answer.bytes
    answers.delete(path)
    const alike = spellings.get(path.toLowerCase())
    alike?.delete(path)
    if (alike?.size === 0) spellings.delete(path.toLowerCase())
  }

  return {
    get: (path) => {
      const answer = answers.get(path)
      if (!answer) return undefined
      if (performance.now() >= answer.freshUntil) return undefined
      answers.delete(path)
      answers.set(path, answer)
      return answer
    },
    peek: (path) => answers.get(path),
    set: (path, answer) => {
      remove(path)
      if (answer.bytes > maxBytes * MAX_PART) return
      answers.set(path, answer)
      bytes += answer.bytes
      const key = path.toLowerCase()
      spellings.set(key, (spellings.get(key) ?? new Set()).add(path))
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    forget: (path) => {
      for (const spelling of [...(spellings.get(path.toLowerCase()) ?? [])]) remove(spelling)
    },
    clear: () => {
      answers.clear()
      spellings.clear()
      bytes = 0
    },
    dropStale: (staleMs) => {
      const since = performance.now() - staleMs
      for (const [path, { freshUntil }] of answers) if (since >= freshUntil) remove(path)
    },
    bytes: () => bytes,
    size: () => answers.size,
  }
}
