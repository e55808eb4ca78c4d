/** The eight kinds of file that a digital drop may be (docs/product.md#digital-files). */
export const FILE_KINDS = ['pdf', 'zip', 'doc', 'docx', 'jpg', 'png', 'mp4', 'mp3'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const CONTENT_TYPES: Record<FileKind | 'webp' | 'avif', string> = {
  pdf: 'application/pdf',
  zip: 'application/zip',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  jpg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  // Uploaded pictures are stored as WebP, and phones load them as AVIF.
  webp: 'image/webp',
  avif: 'image/avif',
}

/** Returns the content type of a file name: "files/f_1.pdf" gives "application/pdf". */
export function contentTypeOf(name: string): string {
  const extension = name.split('.').at(-1) ?? ''
  return Object.hasOwn(CONTENT_TYPES, extension)
    ? CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES]
    : 'application/octet-stream'
}
