import 'server-only'

/** Draws the photo of a drop into a picture. Callers set `isPale` for a drop that is neither live nor scheduled. */
export function DrawnPhoto({
  photo,
  isPale,
  ...size
}: {
  photo: string
  isPale: boolean
  width: number
  height: number
}) {
  // eslint-disable-next-line @next/next/no-img-element, jsx-a11y/alt-text -- drawn into a picture, not a page
  return <img src={photo} {...size} style={{ objectFit: 'cover', opacity: isPale ? 0.55 : 1 }} />
}
