/**
 * Whether Next's own scripts ask for parts of a page. Next then answers with data for these scripts, or with a redirect
 * to a URL of its own, and not with the page.
 * @param {Pick<import('node:http').IncomingMessage, 'headers'>} request
 */
export function isRouterRequest({ headers }) {
  return headers.rsc !== undefined || headers['next-router-state-tree'] !== undefined
}
