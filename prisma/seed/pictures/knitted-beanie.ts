import { beanie, berry, moss, mustard, type Yarn } from './parts/beanie'
import {
  across,
  blurred,
  branchShadow,
  clipped,
  fixed,
  glow,
  linear,
  lying,
  picture,
  place,
  relief,
  sheet,
  standing,
  sweep,
  textured,
  windowLight,
} from './shapes'

const surfaces =
  relief('plaster', { frequency: '.009 .012', octaves: 5, depth: 5, seed: 33 }) +
  relief('wood', { frequency: '.003 .08', octaves: 4, depth: 4, seed: 8 }) +
  relief('wool', { frequency: '.16', octaves: 3, depth: 3, seed: 2 })

const hero = picture({
  defs: surfaces,
  body:
    sweep('#5b7fa8', '#7fa3c4', '#a8c2d6', '#6b90b4', 0.76) +
    textured('plaster', sheet('#fff'), 0.24) +
    glow('key', 260, 260, 1000, '#fff2da', 0.6, 'soft-light') +
    linear(
      'disc',
      [
        [0, '#f4c7a8'],
        [1, '#e59a80'],
      ],
      0,
      0,
      1,
      1,
    ) +
    place(870, 860, lying('<circle r="500" fill="#22405e"/>', 40, 48, 0.7) + '<circle r="500" fill="url(#disc)"/>') +
    across('post', [
      [0, '#fff6e6'],
      [0.4, '#efdcc0'],
      [1, '#9d8464'],
    ]) +
    blurred(48, '<path d="M420 1700L1600 1640L1700 1860L500 1880Z" fill="#1f3f60"/>', 0.5, 'multiply') +
    '<path d="M400 1480V2000H1200V1480Z" fill="url(#post)"/><ellipse cx="800" cy="1480" rx="400" ry="88" fill="#fff3de"/>' +
    standing(790, 1470, 380, '#5a3a1c', 0.9, 60) +
    place(800, 1210, beanie(mustard), 1.02),
  vignette: 0.26,
  vignetteColour: '#06182c',
})

const flat = (columns: number, rows: number, size: number): string => {
  let path = ''
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const x = column * size
      const y = row * size * 0.82
      path += `M${x + size / 2} ${fixed(y + size)}C${x + size * 0.24} ${fixed(y + size * 0.82)} ${x + size * 0.14} ${fixed(y + size * 0.4)} ${x + size * 0.2} ${fixed(y + size * 0.1)}M${x + size / 2} ${fixed(y + size)}C${x + size * 0.76} ${fixed(y + size * 0.82)} ${x + size * 0.86} ${fixed(y + size * 0.4)} ${x + size * 0.8} ${fixed(y + size * 0.1)}`
    }
  return path
}
const fabric = (path: string, yarn: readonly [string, string, string, string], size: number): string =>
  `<g fill="none" stroke-linecap="round"><path d="${path}" stroke="${yarn[3]}" stroke-width="${size * 0.46}" transform="translate(3 7)"/><path d="${path}" stroke="${yarn[2]}" stroke-width="${size * 0.38}"/><path d="${path}" stroke="${yarn[1]}" stroke-width="${size * 0.28}" transform="translate(-2 -3)"/><path d="${path}" stroke="${yarn[0]}" stroke-width="${size * 0.07}" stroke-dasharray="9 12" transform="translate(-5 -5)" opacity=".8"/><path d="${path}" stroke="${yarn[3]}" stroke-width="${size * 0.035}" stroke-dasharray="12 14" transform="translate(5 2)" opacity=".5"/></g>`

const gold = [mustard.light, mustard.mid, mustard.dark, mustard.deep] as const
const cream = ['#ffffff', '#f6e6c8', '#c9a878', '#6b4a24'] as const
const detail = picture({
  defs: surfaces,
  body:
    sheet(mustard.deep) +
    `<g transform="rotate(-9 800 1000)">${place(-160, -180, fabric(flat(16, 22, 128), gold, 128))}${place(-160, -180 + 5 * 128 * 0.82, fabric(flat(16, 3, 128), cream, 128))}${place(-160, -180 + 9 * 128 * 0.82, fabric(flat(16, 1, 128), cream, 128))}` +
    place(
      720,
      1200,
      lying('<rect width="640" height="400" rx="12" fill="#2a1500"/>', 18, 24, 1.2) +
        linear(
          'hide',
          [
            [0, '#c98a52'],
            [1, '#8c5226'],
          ],
          0,
          0,
          1,
          1,
        ) +
        clipped(
          'patch',
          '<rect width="640" height="400" rx="12"/>',
          '<rect width="640" height="400" fill="url(#hide)"/>' +
            textured('wool', '<rect width="640" height="400" fill="#fff"/>', 0.5),
        ) +
        '<rect x="26" y="26" width="588" height="348" rx="8" fill="none" stroke="#f7e3bd" stroke-width="9" stroke-dasharray="30 18" stroke-linecap="round"/><rect x="2" y="2" width="636" height="396" rx="11" fill="none" stroke="#fff" stroke-width="3" opacity=".35"/><circle cx="320" cy="200" r="92" fill="#6b3a16"/><path d="M320 108a92 92 0 0 1 0 184Z" fill="#f2c27c"/>',
    ) +
    '</g>' +
    glow('key', 200, 200, 1300, '#fff3d0', 0.5, 'soft-light') +
    blurred(160, '<path d="M1100 2100L1700 900V2100Z" fill="#2a1400"/>', 0.7, 'multiply'),
  vignette: 0.4,
})

const context = picture({
  defs: surfaces,
  body:
    sheet('#e9dccb') +
    textured('plaster', sheet('#fff'), 0.36) +
    windowLight(220, -200, 1.9, '#fffdf2', 0.95, 4) +
    branchShadow(1660, 120, 1.2, 140, '#7a6650', 0.26, 28) +
    [
      [980, 'upper'],
      [1800, 'lower'],
    ]
      .map(
        ([y, id]) =>
          blurred(
            28,
            `<path d="M-20 ${Number(y) + 40}H1640V${Number(y) + 150}H-20Z" fill="#4a3018"/>`,
            0.45,
            'multiply',
          ) +
          linear(`board-${id}`, [
            [0, '#d8a872'],
            [1, '#a8733f'],
          ]) +
          clipped(
            `plank-${id}`,
            `<rect y="${y}" width="1600" height="64"/>`,
            `<rect y="${y}" width="1600" height="64" fill="url(#board-${id})"/>` +
              textured('wood', `<rect y="${y}" width="1600" height="64" fill="#fff"/>`, 0.5),
          ) +
          `<rect y="${y}" width="1600" height="5" fill="#ffe7c2" opacity=".8"/>`,
      )
      .join('') +
    [
      [440, 776, mustard, 0.74],
      [1190, 776, moss, 0.74],
      [800, 1613, berry, 0.68],
    ]
      .map(
        ([x, y, yarn, size]) =>
          place(
            36,
            26,
            blurred(
              28,
              `<ellipse cx="${Number(x) + 40}" cy="${Number(y) - 110}" rx="${430 * Number(size)}" ry="${420 * Number(size)}" fill="#5a3c20"/>`,
              0.42,
              'multiply',
            ),
          ) +
          standing(Number(x), Number(y) + 238 * Number(size), 400 * Number(size), '#2c1606', 0.8, 22) +
          place(Number(x), Number(y), beanie(yarn as Yarn), Number(size)),
      )
      .join(''),
  vignette: 0.3,
})

export const knittedBeanie: string[] = [hero, detail, context]
