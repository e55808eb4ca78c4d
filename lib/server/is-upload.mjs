/** Calls with large bodies. Uploads have limits of their own, and arrive slowly. */
const UPLOAD = /^\/api\/(?:uploads(?:\/photo)?|uploadthing|drops(?:\/form|\/\d+)?|user\/profile-image)$/

/**
 * Whether a request sends files, which are written to disk as they arrive.
 * @param {string | undefined} method
 * @param {string} path a path without its query
 */
export function isUpload(method, path) {
  return method !== 'GET' && method !== 'HEAD' && UPLOAD.test(path)
}
