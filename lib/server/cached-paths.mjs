export const LANDING = '/'
/**
 * Matches the prefix of the path, the name of the drop or profile, and an optional further page of a drop. A further
 * page of a drop also goes into pathsOf() of listen-for-changes.mjs, which says when its answer is out of date.
 */
export const CACHED_PATH =
  /^(\/(?:drop|api\/drop|profile|api\/profile\/public)\/)([^/?]+)((?<=^\/drop\/[^/]+)\/(?:runs|edition))?$/
export const DROP_CALL = /^\/api\/drop\/[^/?]+$/
export const DROP_PAGE = /^\/drop\/[^/?]+$/
