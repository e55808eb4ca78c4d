/**
 * The keys of the files that the server or the storage already has. A form names such a file by its key, so that the
 * file is not sent again (docs/product.md#photos-before-the-form).
 */
export const arrivedFiles = new WeakMap<File, string>()
