import 'server-only'
import { dictionary } from '@zxcvbn-ts/language-common'

/** The list begins with the most common passwords. Passwords after this position are unlikely guesses. */
const MOST_COMMON = 3_000

const COMMON = new Set(dictionary['passwords-common'].slice(0, MOST_COMMON))

/**
 * Whether a password is among the most common ones (docs/product.md#passwords), or a run like aaaaaa, abcdef or 654321.
 */
export function isCommonPassword(password: string): boolean {
  const typed = password.toLowerCase()
  return COMMON.has(typed) || isRun(typed)
}

function isRun(typed: string): boolean {
  const steps = Array.from(typed.slice(1), (_, at) => typed.charCodeAt(at + 1) - typed.charCodeAt(at))
  return Math.abs(steps[0] ?? 0) <= 1 && steps.every((step) => step === steps[0])
}
