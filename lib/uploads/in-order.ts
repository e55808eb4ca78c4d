import 'server-only'

/**
 * Returns photos in the order of their form fields, image0 first, because the parts of a form may arrive in any order.
 */
export function inOrder<File extends { field: string }>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => one.field.localeCompare(other.field))
}
