import { env } from '@/lib/infra/env'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'

const first = { ...process.env }

/**
 * Gives the application the environment of another start: that of the test file with these variables. The application reads
 * its environment only once, so the values are replaced in place.
 */
export function startAgainWith(variables: Record<string, string>): void {
  const { values, problems } = readEnvironment({ ...first, ...variables })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  Object.assign(env(), values, { isSecureOrigin: values.appUrl.startsWith('https:') })
}
