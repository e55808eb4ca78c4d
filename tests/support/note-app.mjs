/** The state that check-answers.ts shares with the helpers that start an application. */
const shared = /** @type {{ lastcallTestApps?: Set<string> }} */ (globalThis)

/**
 * Notes the origin of an application that a test has started. check-answers.ts compares the responses of this origin
 * with the API document.
 * @param {string} origin
 */
export function noteApp(origin) {
  shared.lastcallTestApps ??= new Set()
  shared.lastcallTestApps.add(origin)
}

/** @param {string} origin */
export const isNoted = (origin) => shared.lastcallTestApps?.has(origin) ?? false
