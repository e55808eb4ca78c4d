import { across, blurred, clipped, fixed, linear, lying, radial, speckles, times } from '../shapes'

type Glaze = {
  id: string
  light: string
  mid: string
  dark: string
  clay: readonly [string, string, string]
  speck: string
  edge: string
}

export const oat: Glaze = {
  id: 'oat',
  light: '#fbf3e2',
  mid: '#eeddc0',
  dark: '#a98a66',
  clay: ['#d08a5c', '#b0653c', '#6b3319'],
  speck: '#6a3b1e',
  edge: '#c89a68',
}
export const sea: Glaze = {
  id: 'sea',
  light: '#c9dcd3',
  mid: '#8fb3aa',
  dark: '#3d625f',
  clay: ['#d08a5c', '#b0653c', '#6b3319'],
  speck: '#23403d',
  edge: '#6d8f83',
}

const bodyPath =
  'M-300 0C-300 220 -292 430 -262 560C-246 622 -150 650 0 650C150 650 246 622 262 560C292 430 300 220 300 0C300 -44 166 -74 0 -74C-166 -74 -300 -44 -300 0Z'
const glazePath =
  'M-320 -90H320V425C268 452 250 428 206 446C168 462 162 498 126 492C96 486 92 452 48 460C6 466 -10 490 -54 482C-92 474 -104 450 -150 462C-196 474 -214 452 -250 440C-280 430 -300 428 -320 424Z'
const handlePath = 'M268 120C420 70 520 150 502 280C488 392 392 466 262 452'

/** A thrown mug, 600 wide at the rim; the origin is the middle of the rim. */
export const mug = ({ id, light, mid, dark, clay, speck, edge }: Glaze, coffee = true): string => {
  const defs =
    across(`${id}-glaze`, [
      [0, dark],
      [0.1, mid],
      [0.3, light],
      [0.5, mid],
      [0.84, dark],
      [0.96, dark],
      [1, mid],
    ]) +
    across(`${id}-clay`, [
      [0, clay[2]],
      [0.12, clay[1]],
      [0.3, clay[0]],
      [0.52, clay[1]],
      [0.88, clay[2]],
      [1, clay[1]],
    ]) +
    linear(
      `${id}-inside`,
      [
        [0, dark],
        [0.45, dark],
        [1, mid],
      ],
      0,
      0,
      1,
      0.3,
    ) +
    radial(
      `${id}-coffee`,
      [
        [0, '#5a2c12'],
        [0.6, '#3a1908'],
        [0.88, '#2a1006'],
        [1, '#8a5427'],
      ],
      0.42,
      0.5,
      0.56,
    ) +
    linear(
      `${id}-rim`,
      [
        [0, light],
        [0.5, '#fffaf0'],
        [1, mid],
      ],
      0,
      0,
      1,
      0.2,
    )
  const handle =
    `<g fill="none" stroke-linecap="round"><path d="${handlePath}" stroke="${dark}" stroke-width="78"/>` +
    blurred(9, `<path d="${handlePath}" stroke="${mid}" stroke-width="46" transform="translate(-8 -9)"/>`) +
    blurred(
      5,
      `<path d="M330 96C430 92 492 160 478 262" stroke="${light}" stroke-width="16" transform="translate(-10 -12)"/>`,
      0.9,
    ) +
    `</g>`
  const rings = times(15, (index) => {
    const y = 20 + index * 42
    return `<path d="M-310 ${y}Q0 ${y + 84} 310 ${y}" fill="none" stroke="${index % 2 ? '#fff' : dark}" stroke-width="${fixed(2 + (index % 3) * 1.5)}" opacity="${index % 2 ? 0.09 : 0.13}"/>`
  })
  const side =
    `<path d="${bodyPath}" fill="url(#${id}-clay)"/>` +
    speckles(31, 130, [-300, 440, 600, 220], '#4f2410', 4) +
    blurred(
      9,
      `<path d="${glazePath}" fill="none" stroke="${clay[2]}" stroke-width="16" transform="translate(0 10)"/>`,
      0.5,
    ) +
    clipped(
      `${id}-dip`,
      `<path d="${glazePath}"/>`,
      `<path d="${bodyPath}" fill="url(#${id}-glaze)"/>` + speckles(7, 420, [-300, -70, 600, 570], speck, 6.5),
    ) +
    `<path d="${glazePath}" fill="none" stroke="${edge}" stroke-width="7" opacity=".8"/>` +
    `<path d="${glazePath}" fill="none" stroke="#fff" stroke-width="2.5" opacity=".35" transform="translate(-2 -6)"/>` +
    rings +
    blurred(28, `<path d="M-206 20C-204 240 -190 420 -168 540" fill="none" stroke="#fff" stroke-width="44"/>`, 0.36) +
    blurred(
      5,
      `<path d="M-214 70C-212 200 -204 300 -194 370" fill="none" stroke="#fff" stroke-width="13" stroke-linecap="round"/>`,
      0.75,
    ) +
    blurred(28, `<path d="M-300 600Q0 740 300 600V700H-300Z" fill="#2a0f04"/>`, 0.5)
  const opening =
    `<ellipse rx="300" ry="74" fill="url(#${id}-rim)"/><ellipse cy="3" rx="282" ry="64" fill="url(#${id}-inside)"/>` +
    (coffee
      ? clipped(
          `${id}-cup`,
          '<ellipse cy="3" rx="282" ry="64"/>',
          `<ellipse cy="36" rx="270" ry="58" fill="url(#${id}-coffee)"/>` +
            blurred(5, `<path d="M-160 22Q-60 -4 60 8Q-30 18 -160 22Z" fill="#ffd9a8"/>`, 0.45) +
            blurred(9, `<ellipse cx="-30" cy="-34" rx="300" ry="44" fill="${dark}"/>`, 0.55),
        )
      : '')
  return defs + handle + clipped(`${id}-body`, `<path d="${bodyPath}"/>`, side) + opening
}
export const cupFromAbove = (id: string, glaze: Glaze, turn: number): string => {
  const ring = `<circle r="250" fill="#000"/><path d="M-40 -40H420V40H-40Z" fill="#000"/>`
  return (
    `<g transform="rotate(${turn})">${lying(ring, 90 * Math.cos((turn * Math.PI) / 180) + 70 * Math.sin((turn * Math.PI) / 180), 70 * Math.cos((turn * Math.PI) / 180) - 90 * Math.sin((turn * Math.PI) / 180))}` +
    `<rect x="220" y="-38" width="200" height="76" rx="38" fill="${glaze.dark}"/>` +
    blurred(5, `<rect x="230" y="-24" width="174" height="34" rx="17" fill="${glaze.light}"/>`, 0.8) +
    '</g>' +
    linear(
      `${id}-wall`,
      [
        [0, glaze.dark],
        [0.5, glaze.mid],
        [1, glaze.light],
      ],
      0,
      0,
      1,
      1,
    ) +
    linear(
      `${id}-lip`,
      [
        [0, '#fffdf5'],
        [0.5, glaze.light],
        [1, glaze.dark],
      ],
      0,
      0,
      1,
      1,
    ) +
    radial(
      `${id}-brew`,
      [
        [0, '#6b3516'],
        [0.5, '#4a210c'],
        [0.86, '#341405'],
        [0.95, '#7a431d'],
        [1, '#b67c45'],
      ],
      0.5,
      0.5,
      0.5,
    ) +
    `<circle r="254" fill="url(#${id}-lip)"/><circle r="232" fill="url(#${id}-wall)"/>` +
    clipped(
      `${id}-in`,
      '<circle r="232"/>',
      speckles(9, 240, [-240, -240, 480, 480], glaze.speck, 4.5) +
        `<circle cx="8" cy="8" r="196" fill="url(#${id}-brew)"/>` +
        blurred(
          16,
          '<path d="M-240 240V-240H240A250 250 0 0 0 -150 -60A250 250 0 0 0 -240 240Z" fill="#1c0a03"/>',
          0.5,
        ) +
        blurred(
          9,
          '<path d="M-20 130A150 150 0 0 0 130 10" fill="none" stroke="#ffdcae" stroke-width="22" stroke-linecap="round"/>',
          0.5,
        ),
    )
  )
}
