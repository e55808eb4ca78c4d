/** Matches the paths of files, which the matcher of middleware.ts leaves out. */
const FILE_PATH = /^\/(?:media\/|icons\/|[^/]+\.(?:svg|png|ico|js|webmanifest)$)/

/**
 * Whether a path leads to a picture, an icon or a file of the public folder, for which no page is rendered.
 * @param {string} path a path without its query
 */
export function isFilePath(path) {
  return FILE_PATH.test(path)
}
