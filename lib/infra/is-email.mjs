/**
 * Whether a value of the environment is one email address without a name. Forms have a stricter check.
 * @param {string} value
 */
export function isEmail(value) {
  return /^[^\s@,<>"]+@[^\s@,<>"]+\.[^\s@,<>"]+$/.test(value)
}
