/** The path of the route that serves public pictures. */
const MEDIA = '/media/'

/** Returns the URL path of a public picture. */
export function mediaPath(key: string): string {
  return MEDIA + key
}

/** Returns the storage key of a public picture, given its URL path from mediaPath(). */
export function keyOfMedia(path: string): string {
  return path.slice(MEDIA.length)
}
