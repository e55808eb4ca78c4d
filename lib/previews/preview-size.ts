/** The size of a link preview in pixels, as its tags say and its picture is drawn. */
export const PREVIEW_WIDTH = 1200
export const PREVIEW_HEIGHT = 630
