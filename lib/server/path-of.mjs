/**
 * Returns the URL of a request without its query.
 * @param {string} [url]
 */
export function pathOf(url = '/') {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}
