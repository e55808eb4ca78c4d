/** What every picture is built from: light, surfaces, shadows and grain. The key light always comes from the upper left. */

export const WIDTH = 1600
export const HEIGHT = 2000

export type Stop = readonly [offset: number, colour: string, opacity?: number]

const stopTags = (stops: readonly Stop[]): string =>
  stops
    .map(
      ([offset, colour, opacity = 1]) => `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join('')

/** A linear gradient in the box of the shape it fills; the default runs from top to bottom. */
export const linear = (id: string, stops: readonly Stop[], x1 = 0, y1 = 0, x2 = 0, y2 = 1): string =>
  `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stopTags(stops)}</linearGradient>`

export const across = (id: string, stops: readonly Stop[]): string => linear(id, stops, 0, 0, 1, 0)

export const radial = (id: string, stops: readonly Stop[], cx = 0.5, cy = 0.5, r = 0.5): string =>
  `<radialGradient id="${id}" cx="${cx}" cy="${cy}" r="${r}">${stopTags(stops)}</radialGradient>`

/** A small seeded generator, so that a picture is the same every time it is drawn. */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

export const fixed = (value: number): string => value.toFixed(1)

const REGION = 'filterUnits="userSpaceOnUse" x="-1200" y="-1200" width="4000" height="4400"'
const BLURS = [2, 5, 9, 16, 28, 48, 90, 160] as const
export type Blur = (typeof BLURS)[number]

const blurFilters = BLURS.map(
  (size) => `<filter id="blur${size}" ${REGION}><feGaussianBlur stdDeviation="${size}"/></filter>`,
).join('')

const grainFilter = `<filter id="grain" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">
<feTurbulence type="fractalNoise" baseFrequency=".62" numOctaves="2" seed="8" result="noise"/>
<feColorMatrix in="noise" type="matrix" values="1.6 0 0 0 -.3  1.6 0 0 0 -.3  1.6 0 0 0 -.3  0 0 0 0 1"/></filter>`

export type Picture = { defs?: string; body: string; grain?: number; vignette?: number; vignetteColour?: string }

/** The whole sheet: shared filters, what was drawn, a falling-off of the light towards the corners, and film grain. */
export const picture = ({
  defs = '',
  body,
  grain = 0.2,
  vignette = 0.28,
  vignetteColour = '#140a05',
}: Picture): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><defs>${blurFilters}${grainFilter}` +
  radial(
    'vignette',
    [
      [0, vignetteColour, 0],
      [0.55, vignetteColour, 0],
      [1, vignetteColour, 1],
    ],
    0.42,
    0.42,
    0.82,
  ) +
  `${defs}</defs>${body}` +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#vignette)" opacity="${vignette}"/>` +
  `<rect width="${WIDTH}" height="${HEIGHT}" filter="url(#grain)" opacity="${grain}" style="mix-blend-mode:soft-light"/></svg>`

export const blurred = (size: Blur, content: string, opacity = 1, blend = 'normal'): string =>
  `<g filter="url(#blur${size})" opacity="${opacity}" style="mix-blend-mode:${blend}">${content}</g>`

export const place = (x: number, y: number, content: string, scale = 1, turn = 0): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${content}</g>`

export const clipped = (id: string, shape: string, content: string): string =>
  `<clipPath id="${id}">${shape}</clipPath><g clip-path="url(#${id})">${content}</g>`

/** A seamless studio sweep: wall running into floor without an edge. */
export const sweep = (wallTop: string, wallLow: string, floorTop: string, floorLow: string, horizon = 0.66): string =>
  linear('sweep', [
    [0, wallTop],
    [horizon - 0.1, wallLow],
    [horizon + 0.03, floorTop],
    [1, floorLow],
  ]) + `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sweep)"/>`

/** A wall standing on a table, with the dark line where they meet. */
export const table = (wall: readonly [string, string], top: readonly [string, string], edge = 1400): string =>
  linear('wall', [
    [0, wall[0]],
    [1, wall[1]],
  ]) +
  linear('tabletop', [
    [0, top[0]],
    [1, top[1]],
  ]) +
  `<rect width="${WIDTH}" height="${edge + 2}" fill="url(#wall)"/>` +
  `<rect y="${edge}" width="${WIDTH}" height="${HEIGHT - edge}" fill="url(#tabletop)"/>` +
  blurred(16, `<rect x="-60" y="${edge - 12}" width="1720" height="16" fill="#000"/>`, 0.16)

export const glow = (
  id: string,
  cx: number,
  cy: number,
  r: number,
  colour: string,
  opacity: number,
  blend = 'normal',
): string =>
  radial(id, [
    [0, colour, 1],
    [0.4, colour, 0.55],
    [1, colour, 0],
  ]) +
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="url(#${id})" opacity="${opacity}" style="mix-blend-mode:${blend}"/>`

/** The shadow under something standing: a dark line of contact, a body, and a long soft tail away from the light. */
export const standing = (cx: number, cy: number, rx: number, colour: string, strength = 1, ry = rx * 0.16): string =>
  blurred(
    48,
    `<ellipse cx="${cx + rx * 0.75}" cy="${cy + ry * 0.55}" rx="${rx * 1.5}" ry="${ry * 1.15}" fill="${colour}"/>`,
    0.42 * strength,
    'multiply',
  ) +
  blurred(
    16,
    `<ellipse cx="${cx + rx * 0.22}" cy="${cy + ry * 0.2}" rx="${rx * 1.1}" ry="${ry * 0.8}" fill="${colour}"/>`,
    0.55 * strength,
    'multiply',
  ) +
  blurred(
    5,
    `<ellipse cx="${cx + 4}" cy="${cy}" rx="${rx * 0.98}" ry="${ry * 0.5}" fill="${colour}"/>`,
    0.7 * strength,
    'multiply',
  )

/** The shadow of something lying flat and seen from above, thrown to the lower right. */
export const lying = (shape: string, dx: number, dy: number, strength = 1): string =>
  place(dx * 1.6, dy * 1.6, blurred(48, shape, 0.3 * strength, 'multiply')) +
  place(dx * 0.7, dy * 0.7, blurred(16, shape, 0.36 * strength, 'multiply')) +
  place(dx * 0.16, dy * 0.16, blurred(5, shape, 0.4 * strength, 'multiply'))

/** Sun through a window with bars, lying across whatever is behind it. */
export const windowLight = (
  x: number,
  y: number,
  scale: number,
  colour: string,
  opacity: number,
  turn = 0,
  blend = 'soft-light',
): string => {
  const pane = (column: number, row: number): string =>
    `<rect x="${column * 330}" y="${row * 420}" width="292" height="382"/>`
  const panes = times(6, (index) => pane(index % 2, Math.floor(index / 2)))
  return `<g style="mix-blend-mode:${blend}" opacity="${opacity}"><g filter="url(#blur9)"><g fill="${colour}" transform="translate(${x} ${y}) rotate(${turn}) skewX(-24) skewY(9) scale(${scale})">${panes}</g></g></g>`
}

/** The shadow of a branch standing outside the picture. */
export const branchShadow = (
  x: number,
  y: number,
  scale: number,
  turn: number,
  colour: string,
  opacity: number,
  size: Blur = 16,
): string => {
  const leaf = (index: number): string => {
    const side = index % 2 === 0 ? 1 : -1
    const length = 250 - index * 8
    const along = 60 + index * 62
    return `<path transform="translate(${along} ${Math.sin(index * 0.5) * 16}) rotate(${side * (58 - index * 2)})" d="M0 0C${length * 0.3} ${-length * 0.2} ${length * 0.75} ${-length * 0.18} ${length} 0C${length * 0.7} ${length * 0.2} ${length * 0.28} ${length * 0.16} 0 0Z"/>`
  }
  return `<g style="mix-blend-mode:multiply" opacity="${opacity}"><g filter="url(#blur${size})"><g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})" fill="${colour}"><path d="M0 -5Q420 24 960 -14L962 -6Q420 40 0 7Z"/>${times(14, leaf)}</g></g></g>`
}

export type Texture = {
  frequency: string
  octaves?: number
  seed?: number
  depth?: number
  azimuth?: number
  elevation?: number
}

/** A relief lit from the upper left; lay it over a surface with soft-light or multiply. */
export const relief = (
  id: string,
  { frequency, octaves = 3, seed = 3, depth = 2, azimuth = 225, elevation = 32 }: Texture,
): string =>
  `<filter id="${id}" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="${octaves}" seed="${seed}"/><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  1 0 0 0 0"/><feDiffuseLighting surfaceScale="${depth}" lighting-color="#fff"><feDistantLight azimuth="${azimuth}" elevation="${elevation}"/></feDiffuseLighting></filter>`

export const textured = (filter: string, shape: string, opacity: number, blend = 'soft-light'): string =>
  `<g style="mix-blend-mode:${blend}" opacity="${opacity}"><g filter="url(#${filter})">${shape}</g></g>`

export const sheet = (fill: string): string => `<rect width="${WIDTH}" height="${HEIGHT}" fill="${fill}"/>`

/** Irregular dots inside a box, as iron shows through a glaze. */
export const speckles = (
  seed: number,
  count: number,
  box: readonly [number, number, number, number],
  colour: string,
  largest: number,
): string => {
  const next = random(seed)
  const [x, y, width, height] = box
  return `<g fill="${colour}">${times(count, () => {
    const size = largest * (0.18 + 0.82 * next() ** 5)
    return `<ellipse cx="${fixed(x + next() * width)}" cy="${fixed(y + next() * height)}" rx="${fixed(size)}" ry="${fixed(size * (0.7 + next() * 0.5))}" opacity="${(0.35 + next() * 0.6).toFixed(2)}"/>`
  })}</g>`
}
