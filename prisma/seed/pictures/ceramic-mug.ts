import { cupFromAbove, mug, oat, sea } from './parts/mug'
import {
  across,
  blurred,
  branchShadow,
  clipped,
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

const plinth = (
  x: number,
  y: number,
  width: number,
  depth: number,
  height: number,
  colours: readonly [string, string, string],
  id: string,
): string =>
  across(`${id}-side`, [
    [0, colours[1]],
    [0.28, colours[0]],
    [0.62, colours[1]],
    [1, colours[2]],
  ]) +
  `<path d="M${x - width} ${y}V${y + height}H${x + width}V${y}Z" fill="url(#${id}-side)"/>` +
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${depth}" fill="${colours[0]}"/>` +
  `<path d="M${x - width} ${y}A${width} ${depth} 0 0 0 ${x + width} ${y}" fill="none" stroke="#fff" stroke-width="4" opacity=".35"/>`

const steam = blurred(
  16,
  '<g fill="none" stroke="#fff" stroke-linecap="round"><path d="M700 690C640 600 760 540 700 430C660 350 730 300 712 220" stroke-width="44"/><path d="M800 680C860 590 770 520 830 430C880 350 800 320 840 250" stroke-width="18"/></g>',
  0.34,
)

const hero = picture({
  defs: relief('plaster', { frequency: '.012 .016', octaves: 4, depth: 5 }),
  body:
    sweep('#c4674a', '#dc8a68', '#e6a07e', '#c9704f', 0.72) +
    textured('plaster', sheet('#fff'), 0.26) +
    linear('arch', [
      [0, '#8f3b2a'],
      [1, '#b9593f'],
    ]) +
    `<path d="M330 1560V760A470 470 0 0 1 1270 760V1560Z" fill="url(#arch)"/>` +
    clipped(
      'niche',
      '<path d="M330 1560V760A470 470 0 0 1 1270 760V1560Z"/>',
      blurred(
        48,
        '<path d="M330 1600V760A470 470 0 0 1 1270 760" fill="none" stroke="#4a1810" stroke-width="120"/>',
        0.6,
      ) + glow('lamp', 960, 1000, 620, '#f0a27c', 0.5),
    ) +
    glow('key', 240, 260, 900, '#ffdcb8', 0.42, 'soft-light') +
    blurred(48, '<path d="M420 1560L1500 1560L1700 1880L700 1900Z" fill="#5c1f10"/>', 0.42, 'multiply') +
    plinth(780, 1500, 510, 116, 520, ['#f0c3a0', '#dc9f78', '#a55a3a'], 'block') +
    standing(780, 1520, 262, '#6b2812', 0.85, 52) +
    place(780, 900, mug(oat), 1.0) +
    steam +
    branchShadow(-60, 250, 1.05, 38, '#5a1d10', 0.3, 28),
})

const detail = picture({
  body:
    sweep('#a9bdb3', '#c6d3c8', '#dfe0d0', '#b9bfae', 0.78) +
    glow('key', 300, 300, 1000, '#fff7e0', 0.6, 'soft-light') +
    branchShadow(1640, -60, 1.35, 140, '#3d5a52', 0.34, 28) +
    standing(640, 1712, 470, '#33483f', 0.9, 80) +
    place(620, 600, mug(oat, false), 1.78),
  vignette: 0.2,
})

const context = picture({
  defs:
    relief('linen', { frequency: '.5 .012', octaves: 2, depth: 3 }) +
    relief('weft', { frequency: '.012 .5', octaves: 2, depth: 3, seed: 9 }) +
    relief('stone', { frequency: '.01', octaves: 5, depth: 6, seed: 21 }),
  body:
    sheet('#d9c9ae') +
    textured('stone', sheet('#fff'), 0.35) +
    place(0, 0, lying('<path d="M-80 520L980 250L1460 1650L380 2080L-80 2080Z" fill="#4d3218"/>', 16, 16, 0.8)) +
    clipped(
      'cloth',
      '<path d="M-80 520L980 250L1460 1650L380 2080L-80 2080Z"/>',
      sheet('#b6553a') +
        textured('linen', sheet('#fff'), 0.5) +
        textured('weft', sheet('#fff'), 0.5) +
        '<g transform="rotate(-14.5 700 1000)" stroke="#f0d9b5" fill="none" opacity=".75"><path d="M180 -200V2600M1080 -200V2600" stroke-width="20"/><path d="M220 -200V2600M1040 -200V2600" stroke-width="5"/></g>' +
        blurred(
          28,
          '<path d="M200 600Q700 760 1300 620M300 1500Q700 1340 1360 1480" fill="none" stroke="#fff" stroke-width="34"/>',
          0.16,
        ) +
        blurred(
          28,
          '<path d="M200 660Q700 820 1300 680M300 1560Q700 1400 1360 1540" fill="none" stroke="#3a0f05" stroke-width="40"/>',
          0.28,
        ),
    ) +
    place(610, 820, cupFromAbove('first', oat, -28), 1.22) +
    place(1010, 1400, cupFromAbove('second', sea, 34), 1.22) +
    windowLight(420, -80, 1.5, '#fff3d4', 0.75, 8) +
    branchShadow(1640, 1880, 1.0, 222, '#3b1d0c', 0.34, 16),
  vignette: 0.32,
})

export const ceramicMug: string[] = [hero, detail, context]
