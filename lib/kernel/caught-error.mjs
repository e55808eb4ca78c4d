// Reads caught values, whose type the type checker does not know. This file is plain JavaScript, because scripts need
// it before anything is installed.

/**
 * Returns the code of a system or database error, like `EADDRINUSE`. It does not use `instanceof`, because in Jest
 * Node's own errors are not instances of the test's `Error`.
 * @param {unknown} error
 * @returns {string | undefined} undefined when the error has no code
 */
export function codeOf(error) {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error
  return hasCode && typeof error.code === 'string' ? error.code : undefined
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}
