import { randomBytes } from 'node:crypto'

/** @typedef {Record<string, string | undefined>} Values */

/**
 * Generates the secrets that are needed and missing. An installation with the embedded database has its own AUTH_SECRET
 * and CRON_SECRET in DATA_DIR, so these two are not generated here.
 * @param {Values} values the secrets are added here
 * @returns {Values} the secrets that were generated
 */
export function addSecrets(values) {
  /** @type {Values} */
  const made = {}
  const secret = (/** @type {number} */ bytes) => randomBytes(bytes).toString('base64url')
  if (values.DATABASE_URL && !values.AUTH_SECRET && !values.NEXTAUTH_SECRET) made.AUTH_SECRET = secret(32)
  if (values.DATABASE_URL && !values.CRON_SECRET) made.CRON_SECRET = secret(32)
  if (values.ADMIN_EMAIL && !values.ADMIN_PASSWORD) made.ADMIN_PASSWORD = secret(15)
  Object.assign(values, made)
  return made
}
