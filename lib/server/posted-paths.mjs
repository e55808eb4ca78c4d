import { serverState } from '../kernel/server-state.mjs'

/**
 * The pages with a form that has no `action`, which a browser without JavaScript posts to the page itself. They are
 * passed on to a route (lib/http/plain-forms/route-of-posted-form.ts).
 */
const FORM_PAGE =
  /^\/(?:login|signup|plans|two-factor|confirm-email|reset-password|forgot-(?:password|username)|appeal)\/?$/
/** The routes outside of /api that plain forms are posted to. */
const FORM_ROUTE =
  /^\/(?:(?:login|signup|plans|two-factor|confirm-email|reset-password|forgot-(?:password|username)|appeal|find-order)\/send|profile\/[^/]+\/follow|(?:drop|claim)\/[^/]+\/buy|drop\/[^/]+\/remind|o\/[^/]+\/(?:address|arrived|delay|download|keys|undo-address|write))\/?$/
/** Calls, the stand-in for Stripe and the administrators' pages answer every method themselves. */
const ANY_METHOD = /^\/(?:api|admin|sandbox(?!\/mail\/?$))(?:\/|$)/

/**
 * Whether requests with every method are passed to Next.
 * @param {string} path a path without its query
 */
export function answersEveryMethod(path) {
  return ANY_METHOD.test(path)
}

/**
 * Whether a plain form may be posted to a path (ADR 0075). At any other path Next would only render the page again.
 * @param {string} path a path without its query
 */
export function acceptsForm(path) {
  return FORM_PAGE.test(path) || FORM_ROUTE.test(path) || ANY_METHOD.test(path) || isForDevelopment(path)
}

/** @param {string} path */
function isForDevelopment(path) {
  // The pages of `npm run dev` ask Next to translate stack traces.
  return serverState().isDev && /^\/(?:__nextjs_|_next\/mcp$)/.test(path)
}

/**
 * Whether a path leads to a route outside of /api that receives plain forms and renders no page.
 * @param {string} path a path without its query
 */
export function isFormRoute(path) {
  return FORM_ROUTE.test(path)
}
