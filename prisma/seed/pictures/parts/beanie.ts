import { across, blurred, clipped, fixed, place, radial, random, times } from '../shapes'

export type Yarn = { id: string; light: string; mid: string; dark: string; deep: string; stripe?: string }

export const mustard: Yarn = {
  id: 'mustard',
  light: '#ffd56b',
  mid: '#eeb02c',
  dark: '#b06f0c',
  deep: '#5c3404',
  stripe: '#fff0cf',
}
export const moss: Yarn = {
  id: 'moss',
  light: '#a9bf86',
  mid: '#6f8c52',
  dark: '#3f5a30',
  deep: '#182a12',
  stripe: '#f0c9a4',
}
export const berry: Yarn = {
  id: 'berry',
  light: '#f09aa8',
  mid: '#d0566f',
  dark: '#8c2844',
  deep: '#420c1e',
  stripe: '#ffe1d4',
}

const TOP = 560
const halfWidth = (t: number): number => 430 * (1 - t ** 2.7) ** 0.56 * (1 - 0.05 * (1 - t))
const rise = (t: number, turn: number): number => -TOP * t + Math.cos(turn) * 46 * (1 - t)

/** The two legs of every stitch between two rows, as one path. */
const stitches = (rows: readonly number[], columns: number, total: number): { path: string; width: number } => {
  let path = ''
  for (const row of rows) {
    const t0 = row / total
    const t1 = (row + 1.25) / total
    for (let column = 0; column < columns; column += 1) {
      const turn = (edge: number): number => (((column + edge) / columns) * 2 - 1) * 1.54
      const at = (edge: number, t: number): string =>
        `${fixed(Math.sin(turn(edge)) * halfWidth(Math.min(t, 0.985)))} ${fixed(rise(t, turn(edge)))}`
      path += `M${at(0.5, t0)}L${at(0.16, t1)}M${at(0.5, t0)}L${at(0.84, t1)}`
    }
  }
  return { path, width: 11.5 }
}

const domeOutline = (): string => {
  const points = Array.from({ length: 41 }, (_, index) => (index / 40) * 0.985)
  const left = points.map((t) => `${fixed(-halfWidth(t))} ${fixed(rise(t, Math.PI / 2))}`)
  const right = points.map((t) => `${fixed(halfWidth(t))} ${fixed(rise(t, Math.PI / 2))}`).reverse()
  return `M${left.join('L')}L${right.join('L')}L408 60Q0 120 -408 60Z`
}

const cuffOutline =
  'M-408 -34C-432 -30 -436 0 -436 40C-440 110 -438 160 -424 206C-300 276 300 276 424 206C438 160 440 110 436 40C436 0 432 -30 408 -34C290 34 -290 34 -408 -34Z'

/** A ball of cut yarn ends. */
const pompom = (id: string, tones: readonly [string, string, string, string]): string => {
  const next = random(77)
  const tuft = (spread: number, colour: string, count: number): string =>
    `<g stroke="${colour}" stroke-width="7" stroke-linecap="round">${times(count, () => {
      const turn = next() * Math.PI * 2
      const from = Math.sqrt(next()) * spread
      const to = from + 24 + next() * 12
      return `<path d="M${fixed(Math.cos(turn) * from)} ${fixed(Math.sin(turn) * from)}L${fixed(Math.cos(turn + 0.12) * to)} ${fixed(Math.sin(turn + 0.12) * to)}"/>`
    })}</g>`
  return (
    radial(
      `${id}-ball`,
      [
        [0, '#fff', 0.35],
        [0.45, '#fff', 0],
        [1, tones[3], 0.75],
      ],
      0.34,
      0.3,
      0.72,
    ) +
    `<circle r="118" fill="${tones[2]}"/>` +
    tuft(108, tones[3], 260) +
    tuft(104, tones[2], 320) +
    tuft(98, tones[1], 360) +
    tuft(84, tones[0], 190) +
    `<circle r="140" fill="url(#${id}-ball)"/>`
  )
}

/** A beanie about 870 wide and 860 tall; the origin is the middle of the fold. */
export const beanie = ({ id, light, mid, dark, deep, stripe }: Yarn, label = '#c58550'): string => {
  const total = 30
  const all = Array.from({ length: total }, (_, index) => index)
  const body = stitches(all, 34, total)
  const band = stripe ? stitches([6, 7, 8, 11], 34, total) : undefined
  const draw = ({ path, width }: { path: string; width: number }, colours: readonly [string, string, string]): string =>
    `<g fill="none" stroke-linecap="round"><path d="${path}" stroke="${colours[0]}" stroke-width="${width + 4}"/><path d="${path}" stroke="${colours[1]}" stroke-width="${width}"/><path d="${path}" stroke="${colours[2]}" stroke-width="${width * 0.34}" transform="translate(-1.6 -2)" opacity=".75"/></g>`
  const ribs = times(27, (index) => {
    const x = (edge: number): number => Math.sin((((index + edge) / 27) * 2 - 1) * 1.5)
    const curve = (edge: number): string => {
      const s = x(edge)
      const sag = Math.sqrt(1 - s * s) * 52
      return `M${fixed(s * 436)} ${fixed(-34 + sag)}C${fixed(s * 444)} 80 ${fixed(s * 444)} 130 ${fixed(s * 428)} ${fixed(202 + sag)}`
    }
    const width = Math.max(4, (x(1) - x(0)) * 436)
    return `<g fill="none"><path d="${curve(0.5)}" stroke="${mid}" stroke-width="${fixed(width * 0.74)}"/><path d="${curve(0.38)}" stroke="${light}" stroke-width="${fixed(width * 0.22)}" opacity=".7"/><path d="${curve(0.98)}" stroke="${deep}" stroke-width="${fixed(width * 0.26)}" opacity=".75"/><path d="${curve(0.5)}" stroke="${dark}" stroke-width="${fixed(width * 0.7)}" stroke-dasharray="3 15" opacity=".5"/></g>`
  })
  return (
    radial(
      `${id}-form`,
      [
        [0, '#fff', 0.34],
        [0.4, '#fff', 0.02],
        [0.62, deep, 0.12],
        [1, deep, 0.82],
      ],
      0.34,
      0.32,
      0.74,
    ) +
    across(`${id}-roll`, [
      [0, deep, 0.66],
      [0.14, deep, 0.1],
      [0.32, '#fff', 0.24],
      [0.6, deep, 0.06],
      [1, deep, 0.78],
    ]) +
    clipped(
      `${id}-dome`,
      `<path d="${domeOutline()}"/>`,
      `<path d="${domeOutline()}" fill="${deep}"/>` +
        draw(body, [dark, mid, light]) +
        (band && stripe ? draw(band, ['#8d6a4c', stripe, '#fff']) : '') +
        `<path d="${domeOutline()}" fill="url(#${id}-form)"/>` +
        blurred(16, '<path d="M-440 -44C-300 34 300 34 440 -44V60H-440Z" fill="#140802"/>', 0.6),
    ) +
    clipped(
      `${id}-cuff`,
      `<path d="${cuffOutline}"/>`,
      `<path d="${cuffOutline}" fill="${deep}"/>` +
        ribs +
        `<path d="${cuffOutline}" fill="url(#${id}-roll)"/>` +
        blurred(28, `<path d="M-440 190C-300 270 300 270 440 190V300H-440Z" fill="${deep}"/>`, 0.7) +
        blurred(9, '<path d="M-430 -24C-300 46 300 46 430 -24" fill="none" stroke="#fff" stroke-width="16"/>', 0.35),
    ) +
    place(10, -548, blurred(16, '<ellipse cx="10" cy="40" rx="130" ry="96" fill="#140802"/>', 0.4)) +
    place(0, -612, pompom(id, stripe ? ['#ffffff', stripe, '#d9bd92', '#96744a'] : [light, mid, dark, deep])) +
    place(
      -96,
      76,
      place(5, 8, blurred(5, '<rect width="190" height="104" rx="5" fill="#1c0d02"/>', 0.5)) +
        `<path d="M0 0Q95 12 190 0V104Q95 116 0 104Z" fill="${label}"/><path d="M10 10Q95 22 180 10V95Q95 106 10 95Z" fill="none" stroke="${dark}" stroke-width="4" stroke-dasharray="10 7"/><circle cx="95" cy="58" r="23" fill="${mid}"/><path d="M95 35a23 23 0 0 1 0 46Z" fill="${deep}"/>`,
    )
  )
}
