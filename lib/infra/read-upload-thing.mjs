import { isUrl } from './is-url.mjs'

/**
 * @typedef {{
 *   token: string,
 *   apiKey: string,
 *   appId: string,
 *   ingestUrl: string,
 *   standInUrl: string | null,
 * }} UploadThingAccount
 * @typedef {(isGood: boolean, problem: string) => void} Check
 */

/**
 * Reads the settings of UploadThing. The token from its dashboard is `{ apiKey, appId, regions, ingestHost? }` as JSON
 * in base64.
 * @param {string | null} token null when it is not set
 * @param {string | null} standInUrl the URL of the stand-in that tests use instead of UploadThing
 * @param {Check} check reports the problem to the operator when a setting is not good
 * @returns {UploadThingAccount | null} null when the token is not set or not valid
 */
export function readUploadThing(token, standInUrl, check) {
  check(
    standInUrl === null || isUrl(standInUrl, ['http:', 'https:']),
    'UPLOADTHING_URL is not a URL: give that of a stand-in, or unset it for UploadThing itself.',
  )
  check(standInUrl === null || token !== null, 'UPLOADTHING_URL is set without UPLOADTHING_TOKEN: set both or neither.')
  if (token === null) return null
  const parsed = parseToken(token)
  check(
    parsed !== null,
    'UPLOADTHING_TOKEN is not a token of UploadThing: copy the whole value from its dashboard (API Keys), without quotes.',
  )
  if (!parsed) return null
  const { apiKey, appId, regions, ingestHost = 'ingest.uploadthing.com' } = parsed
  return { token, apiKey, appId, ingestUrl: standInUrl ?? `https://${regions[0]}.${ingestHost}`, standInUrl }
}

/**
 * @param {string} token
 * @returns {{ apiKey: string, appId: string, regions: [string, ...string[]], ingestHost?: string } | null} null when
 *   the token is not valid
 */
function parseToken(token) {
  try {
    const parsed = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    const { apiKey, appId, regions, ingestHost } = parsed
    const isName = (/** @type {unknown} */ value) => typeof value === 'string' && /^[a-z0-9][a-z0-9.-]*$/i.test(value)
    const isComplete = typeof apiKey === 'string' && apiKey.startsWith('sk_') && isName(appId) && isName(regions?.[0])
    return isComplete && (ingestHost === undefined || isName(ingestHost)) ? parsed : null
  } catch {
    return null
  }
}
