import 'server-only'

/** The size of a link preview in pixels, as its tags say and its picture is drawn. */
export const previewSize = { width: 1200, height: 630 } as const
