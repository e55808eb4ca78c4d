import { bay, grade, strip, type Grade } from './parts/film-strip'
import {
  blurred,
  clipped,
  fixed,
  glow,
  linear,
  lying,
  picture,
  place,
  random,
  relief,
  sheet,
  textured,
  times,
} from './shapes'

const surfaces = relief('paper', { frequency: '.35', octaves: 2, depth: 1.4 })
const bokeh = (seed: number, count: number, colours: readonly string[]): string => {
  const next = random(seed)
  return times(
    count,
    (index) =>
      `<circle cx="${fixed(next() * 1600)}" cy="${fixed(next() * 2000)}" r="${fixed(40 + next() * 150)}" fill="${colours[index % colours.length]}" opacity="${fixed(0.1 + next() * 0.3)}"/>`,
  )
}

const hero = picture({
  defs: surfaces,
  body:
    linear(
      'night',
      [
        [0, '#ff9a5c'],
        [0.35, '#f0506a'],
        [0.68, '#8a2f9a'],
        [1, '#2a1a78'],
      ],
      0,
      0,
      1,
      1,
    ) +
    sheet('url(#night)') +
    blurred(48, bokeh(5, 16, ['#ffe0a0', '#ff7ac0', '#7a6aff']), 0.9, 'screen') +
    `<g transform="translate(1190 -300) rotate(17) scale(.62)">${lying('<rect width="1000" height="4200" fill="#1a0630"/>', 90, 80, 0.9)}${strip('rear', 6, 2)}</g>` +
    `<g transform="translate(210 -160) rotate(-13) scale(.86)">${lying('<rect width="1000" height="2800" fill="#1a0630"/>', 60, 80, 1.1)}${strip('front', 4, 0)}</g>` +
    glow('leak', 60, 1700, 900, '#ffb060', 0.6, 'screen') +
    glow('leak-two', 1560, 80, 700, '#ff5f8a', 0.4, 'screen'),
  vignette: 0.24,
  vignetteColour: '#14042a',
  grain: 0.32,
})

const flatGrade: Grade = {
  id: 'flat',
  sky: ['#a9a6a4', '#c2bcb6', '#d6d0c6'],
  sun: '#eae6de',
  far: '#aaa5a0',
  mid: '#8d8984',
  near: '#5f5c5a',
  sea: ['#c4beb6', '#96928e'],
}
const detail = picture({
  defs: surfaces,
  body:
    place(-760, 0, bay('after', grade(0)), 2.5) +
    clipped('before-half', '<path d="M0 0H800V2000H0Z"/>', place(-760, 0, bay('before', flatGrade), 2.5)) +
    blurred(16, '<rect x="792" width="18" height="2000" fill="#000"/>', 0.5) +
    '<rect x="795" width="10" height="2000" fill="#fff"/>' +
    place(
      800,
      1120,
      lying('<circle r="92" fill="#1a0a1a"/>', 12, 16) +
        '<circle r="92" fill="#fff"/><path d="M-26 -30L-56 0L-26 30M26 -30L56 0L26 30" fill="none" stroke="#c93a05" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"/>',
    ),
  vignette: 0.2,
  grain: 0.36,
})

const slide = (index: number, x: number, y: number, turn: number): string =>
  place(
    x,
    y,
    lying('<rect x="-330" y="-330" width="660" height="660" rx="26" fill="#3a2a20"/>', 22, 28, 1) +
      linear(
        `mount${index}`,
        [
          [0, '#fffdf8'],
          [1, '#ece4d6'],
        ],
        0,
        0,
        1,
        1,
      ) +
      `<rect x="-330" y="-330" width="660" height="660" rx="26" fill="url(#mount${index})"/><rect x="-328" y="-328" width="656" height="656" rx="25" fill="none" stroke="#fff" stroke-width="4"/>` +
      place(
        -246,
        -178,
        clipped(
          `slide${index}`,
          '<rect width="492" height="340" rx="10"/>',
          place(-9, 0, bay(`slide${index}`, grade(index)), 0.43) +
            blurred(9, '<path d="M-6 346V-6H500" fill="none" stroke="#000" stroke-width="22"/>', 0.5),
        ) + '<rect width="492" height="340" rx="10" fill="none" stroke="#cfc4b2" stroke-width="4"/>',
      ) +
      `<circle cx="-262" cy="252" r="17" fill="${grade(index).sky[1]}"/><rect x="-230" y="246" width="150" height="11" rx="5" fill="#d9cfbf"/>`,
    1,
    turn,
  )

const context = picture({
  defs: surfaces,
  body:
    linear(
      'desk',
      [
        [0, '#f6d9b8'],
        [1, '#e8a98a'],
      ],
      0,
      0,
      1,
      1,
    ) +
    sheet('url(#desk)') +
    textured('paper', sheet('#fff'), 0.4) +
    slide(0, 430, 380, -5) +
    slide(1, 1170, 350, 4) +
    slide(2, 440, 1060, 3) +
    slide(3, 1180, 1040, -4) +
    slide(5, 420, 1730, -3) +
    slide(4, 1165, 1730, 5) +
    glow('key', 200, 200, 1300, '#fff6e0', 0.6, 'soft-light') +
    blurred(90, '<path d="M-100 1100L1100 -300H1500L-100 1600Z" fill="#fff"/>', 0.2, 'soft-light'),
  vignette: 0.26,
})

export const filmPresets: string[] = [hero, detail, context]
