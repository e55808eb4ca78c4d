export const LANDING = '/'
/**
 * Matches the prefix of the path, the name of the drop or profile, and an optional further page of a drop. A further
 * page of a drop also goes into pathsOf() of listen-for-changes.mjs, which says when its answer is out of date.
 */
export const CACHED_PATH =
  /^(\/(?:drop|api\/drop|profile|api\/profile\/public)\/)([^/?]+)((?<=^\/drop\/[^/]+)\/(?:runs|edition))?$/
export const DROP_CALL = /^\/api\/drop\/[^/?]+$/
/**
 * The description of all calls, for people and for programs. No link for Next's router leads to the page, which is so
 * large that rendering parts of it for each request would take the processor.
 */
export const API_PAGE = '/api-docs'
export const API_DOCUMENT = '/api/openapi.json'
export const DROP_PAGE = /^\/drop\/[^/?]+$/
