import { env } from '@/lib/infra/env'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'

const first = { ...process.env }

/**
 * Simulates another start of the application, with the environment of the test file plus these variables. The
 * application reads its environment only once, so this function replaces the values in place. It throws if a variable
 * is invalid.
 */
export function startAgainWith(variables: Record<string, string>): void {
  const { values, problems } = readEnvironment({ ...first, ...variables })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  Object.assign(env(), values, { isSecureOrigin: values.appUrl.startsWith('https:') })
}
