import { amber, bottle, chilli, chilliPath, glass, green, red, type Sauce } from './parts/bottle'
import {
  blurred,
  branchShadow,
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
  relief('tooth', { frequency: '.3', octaves: 2, depth: 1.6 }) +
  relief('plaster', { frequency: '.009 .012', octaves: 5, depth: 5, seed: 70 })
const hot = ['#ff8a5c', '#e02a12', '#7a0a02'] as const
const lime = ['#c9e07a', '#7aa02c', '#33500c'] as const
const pepper = (
  id: string,
  x: number,
  y: number,
  size: number,
  turn: number,
  colours: readonly [string, string, string],
): string => {
  const angle = (-turn * Math.PI) / 180
  const dx = 34 * Math.cos(angle) - 36 * Math.sin(angle)
  const dy = 34 * Math.sin(angle) + 36 * Math.cos(angle)
  return place(x, y, lying(`<path d="${chilliPath}" fill="#3d0a04"/>`, dx, dy, 1) + chilli(id, colours), size, turn)
}

const hero = picture({
  defs: surfaces,
  body:
    sweep('#ffc23a', '#ffb02a', '#ffbe4c', '#f29512', 0.74) +
    textured('plaster', sheet('#fff'), 0.14) +
    linear(
      'orb',
      [
        [0, '#ff7a52'],
        [1, '#e8402a'],
      ],
      0,
      0,
      1,
      1,
    ) +
    '<circle cx="800" cy="830" r="560" fill="url(#orb)"/>' +
    glow('key', 260, 240, 1100, '#fff6d0', 0.7, 'soft-light') +
    blurred(48, '<path d="M640 1668L1700 1500V1680L900 1740Z" fill="#8a2f02"/>', 0.6, 'multiply') +
    standing(800, 1676, 236, '#6b1f02', 0.95, 40) +
    glow('spill', 1010, 1700, 240, '#ff4a1c', 0.55) +
    place(800, 1010, bottle(red), 1.17) +
    pepper('chilli-a', 300, 1520, 0.8, 66, hot) +
    pepper('chilli-b', 1290, 1560, 0.72, -38, hot) +
    pepper('chilli-c', 1190, 1760, 0.6, 58, lime),
  vignette: 0.2,
  vignetteColour: '#5a1c00',
})

const detail = picture({
  defs: surfaces,
  body:
    sheet('#f2705a') +
    glow('back', 400, 300, 1300, '#ffb39a', 0.75) +
    place(
      250,
      120,
      blurred(
        48,
        `<g transform="translate(800 640) scale(2.5)"><path d="${glass}" fill="#6b0d04"/></g>`,
        0.4,
        'multiply',
      ),
    ) +
    place(760, 690, bottle(red), 2.5, 5) +
    branchShadow(1700, 60, 1.2, 150, '#5a0f06', 0.3, 28),
  vignette: 0.24,
  vignetteColour: '#3d0602',
})

const context = picture({
  defs: surfaces,
  body:
    sweep('#f7c9c4', '#f9d8cf', '#fbe4d8', '#efbcb0', 0.72) +
    textured('plaster', sheet('#fff'), 0.26) +
    windowLight(160, -260, 1.9, '#fffdf0', 0.8, 4) +
    `<path d="M90 1500H1510V2000H90Z" fill="#e8604a"/>` +
    linear('front', [
      [0, '#ee6f58'],
      [1, '#c23f2c'],
    ]) +
    '<path d="M90 1560H1510V2000H90Z" fill="url(#front)"/><path d="M90 1560L190 1400H1410L1510 1560Z" fill="#ff9078"/>' +
    [
      [430, green, 0.92],
      [1170, amber, 0.92],
      [800, red, 1.02],
    ]
      .map(([x, sauce, size], index) => {
        const base = index === 2 ? 1516 : 1464
        const item = sauce as Sauce
        const scale = Number(size)
        return (
          blurred(
            48,
            `<path d="M${Number(x) - 100} ${base}L${Number(x) + 460} ${base - 60}L${Number(x) + 500} ${base + 10}L${Number(x) + 100} ${base + 20}Z" fill="#6b140a"/>`,
            0.5,
            'multiply',
          ) +
          standing(Number(x), base, 212 * scale, '#6b140a', 0.8, 26) +
          place(Number(x), base - 578 * scale, bottle(item), scale)
        )
      })
      .join('') +
    branchShadow(-120, 1120, 1.0, -34, '#8a3a34', 0.26, 28),
  vignette: 0.22,
})

export const hotSauce: string[] = [hero, detail, context]
