/** The end of a photo's key when the photo also has a file for phones. Photos from before AVIF have no such file. */
export const PHONE_MARK = '-avif'

/** Returns the storage key of a photo's AVIF file for phones, or null when the photo has none. */
export function phonePhotoKey(key: string): string | null {
  return key.endsWith(PHONE_MARK) ? `${key}-phone.avif` : null
}
