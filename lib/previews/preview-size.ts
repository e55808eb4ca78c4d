import 'server-only'

/** The size of a link preview in pixels, used by its meta tags and by its drawing. */
export const previewSize = { width: 1200, height: 630 } as const
