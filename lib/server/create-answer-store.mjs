/**
 * @template {{ freshUntil: number, bytes: number }} Answer
 * @typedef {object} AnswerStore
 * @property {(path: string) => Answer | undefined} get the answer while it is fresh
 * @property {(path: string) => Answer | undefined} peek the answer, fresh or not, for comparison
 * @property {(path: string, answer: Answer) => void} set
 * @property {(path: string) => void} forget whatever the case of its letters
 * @property {() => void} clear
 * @property {(staleMs: number) => void} dropStale removes what has not been fresh for this long
 * @property {() => number} bytes
 * @property {() => number} size
 */

/** A larger answer would push too many others out, so it is not kept. No answer of ours is near this size. */
const MAX_SHARE = 1 / 16

/**
 * Keeps answers in memory up to a number of bytes. The one that was unused for longest is removed first; one that is not
 * fresh any more is never returned by `get`.
 * @template {{ freshUntil: number, bytes: number }} Answer `freshUntil` is a time of `performance.now()`
 * @param {{ maxBytes: number }} options
 * @returns {AnswerStore<Answer>}
 */
export function createAnswerStore({ maxBytes }) {
  /** @type {Map<string, Answer>} in the order of the last use */
  const answers = new Map()
  /** @type {Map<string, Set<string>>} the paths that differ only in the case of their letters, by the path in lower case */
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
      if (answer.bytes > maxBytes * MAX_SHARE) return
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
