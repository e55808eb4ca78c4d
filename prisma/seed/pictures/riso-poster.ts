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
  random,
  relief,
  sheet,
  sweep,
  table,
  textured,
  times,
  windowLight,
} from './shapes'

type Inks = { paper: string; sun: string; sky: string; hills: readonly [string, string, string, string] }

const dusk: Inks = {
  paper: '#f6eedd',
  sun: '#ff5a3c',
  sky: '#ffb52e',
  hills: ['#f7a3a0', '#ee6a6a', '#2a7f8c', '#173f6b'],
}

/** Dots that shrink as `tone` falls, on a screen turned by 45 degrees. */
const halftone = (
  width: number,
  height: number,
  pitch: number,
  colour: string,
  tone: (x: number, y: number) => number,
): string => {
  let path = ''
  for (let row = 0; row * pitch * 0.5 < height; row += 1) {
    for (let column = 0; column * pitch < width + pitch; column += 1) {
      const x = column * pitch + (row % 2) * pitch * 0.5
      const y = row * pitch * 0.5
      const r = pitch * 0.42 * Math.max(0, Math.min(1.15, tone(x, y)))
      if (r > 0.8)
        path += `M${fixed(x - r)} ${fixed(y)}a${fixed(r)} ${fixed(r)} 0 1 0 ${fixed(r * 2)} 0a${fixed(r)} ${fixed(r)} 0 1 0 ${fixed(-r * 2)} 0`
    }
  }
  return `<path d="${path}" fill="${colour}"/>`
}

const ridges = [
  'M0 640Q150 560 300 606T560 570Q690 540 800 590V1000H0Z',
  'M0 720Q120 700 250 640Q400 580 520 668T800 664V1000H0Z',
  'M0 800Q180 700 340 760T640 770Q730 760 800 716V1000H0Z',
  'M0 900Q140 850 290 872Q470 900 560 836Q680 760 800 830V1000H0Z',
] as const

/** The print, 800 by 1000: one sun, four ridges, six inks slightly out of register. */
const print = (id: string, inks: Inks, pitch = 13): string => {
  const next = random(14)
  const dust = `<g fill="${inks.paper}">${times(260, () => `<circle cx="${fixed(next() * 800)}" cy="${fixed(next() * 1000)}" r="${fixed(0.8 + next() ** 3 * 3)}" opacity=".7"/>`)}</g>`
  const multiply = (content: string): string => `<g style="mix-blend-mode:multiply">${content}</g>`
  const ridge = (index: number, dx: number, dy: number): string =>
    `<path d="${ridges[index]}" fill="${inks.hills[index]}" transform="translate(${dx} ${dy})"/>`
  const shade = (index: number, colour: string, from: number): string =>
    clipped(
      `${id}-ridge${index}`,
      `<path d="${ridges[index]}"/>`,
      halftone(800, 1000, pitch, colour, (x, y) => (y - from) / 260 + 0.14 * Math.sin(x / 90)),
    )
  const art =
    `<rect width="800" height="1000" fill="${inks.paper}"/>` +
    multiply(halftone(800, 720, pitch, inks.sky, (x, y) => 1.05 - y / 640 + 0.05 * Math.sin(x / 140))) +
    multiply(`<circle cx="400" cy="430" r="214" fill="${inks.sun}"/>`) +
    clipped(
      `${id}-sun`,
      '<circle cx="395" cy="434" r="214"/>',
      multiply(halftone(800, 720, pitch, '#d81f5a', (x, y) => (y - 400) / 230 + (x - 400) / 900)),
    ) +
    multiply(
      `<path d="M400 130V76M548 168L576 120M252 168L224 120M652 276L700 248M148 276L100 248M690 420H740M110 420H60" stroke="${inks.sun}" stroke-width="13" stroke-linecap="round"/>`,
    ) +
    `<g>${ridge(0, 0, 0)}</g>` +
    multiply(shade(0, '#ee6a6a', 560)) +
    ridge(1, 4, -3) +
    multiply(shade(1, '#b3325f', 640)) +
    ridge(2, -3, 4) +
    multiply(shade(2, '#12526c', 700)) +
    ridge(3, 3, 2) +
    multiply(shade(3, '#0b1f45', 790)) +
    `<path d="M120 904C116 850 118 810 124 772M124 772C96 760 84 736 84 704M124 800C150 786 164 764 166 736" fill="none" stroke="${inks.paper}" stroke-width="8" stroke-linecap="round"/>` +
    dust
  return clipped(`${id}-window`, '<rect x="50" y="50" width="700" height="860"/>', art) + ''
}

const onPaper = (id: string, pitch?: number): string =>
  `<rect width="800" height="1000" fill="${dusk.paper}"/>${print(id, dusk, pitch)}<g fill="none" stroke="#8b7f6b" stroke-width="2"><path d="M50 950h90M200 950h54"/></g><g><circle cx="668" cy="948" r="10" fill="#ff5a3c"/><circle cx="692" cy="948" r="10" fill="#ffb52e"/><circle cx="716" cy="948" r="10" fill="#2a7f8c"/><circle cx="740" cy="948" r="10" fill="#173f6b"/></g>`

/** An oak frame around the print, 1000 by 1240, light from the upper left. */
const frame = (id: string, wood: readonly [string, string, string]): string =>
  linear(
    `${id}-wood`,
    [
      [0, wood[0]],
      [0.5, wood[1]],
      [1, wood[2]],
    ],
    0,
    0,
    1,
    1,
  ) +
  place(0, 0, lying('<rect width="1000" height="1240" fill="#2a1c10"/>', 46, 58, 1.1)) +
  `<rect width="1000" height="1240" rx="3" fill="url(#${id}-wood)"/>` +
  clipped(
    `${id}-edge`,
    '<path d="M0 0H1000V1240H0ZM40 40V1200H960V40Z" clip-rule="evenodd"/>',
    textured('wood', '<rect width="1000" height="1240" fill="#fff"/>', 0.55),
  ) +
  `<path d="M0 0L40 40H960L1000 0Z" fill="#fff" opacity=".22"/><path d="M1000 0L960 40V1200L1000 1240Z" fill="#000" opacity=".2"/><path d="M0 1240L40 1200H960L1000 1240Z" fill="#000" opacity=".1"/>` +
  `<rect x="40" y="40" width="920" height="1160" fill="#fbf7ee"/>` +
  clipped(
    `${id}-mat`,
    '<rect x="40" y="40" width="920" height="1160"/>',
    place(100, 112, `<g transform="scale(1 1.016)">${onPaper(id)}</g>`) +
      `<rect x="98" y="110" width="804" height="1020" fill="none" stroke="#cfc4ae" stroke-width="4"/>` +
      blurred(16, '<path d="M20 20H980V60H70V1240H20Z" fill="#1d130a"/>', 0.5) +
      linear(
        `${id}-glass`,
        [
          [0, '#fff', 0.3],
          [0.32, '#fff', 0.04],
          [0.33, '#fff', 0.2],
          [0.46, '#fff', 0.02],
          [1, '#fff', 0],
        ],
        0,
        0,
        1,
        0.8,
      ) +
      `<rect x="40" y="40" width="920" height="1160" fill="url(#${id}-glass)" opacity=".55"/>`,
  )

const surfaces =
  relief('plaster', { frequency: '.009 .013', octaves: 5, depth: 5, seed: 12 }) +
  relief('wood', { frequency: '.004 .22', octaves: 3, depth: 3, seed: 4 }) +
  relief('grainwood', { frequency: '.003 .09', octaves: 4, depth: 4, seed: 6 }) +
  relief('tooth', { frequency: '.35', octaves: 2, depth: 1.4, seed: 5 })
const oak = ['#e3bb84', '#c7955a', '#99683a'] as const

const hero = picture({
  defs: surfaces,
  body:
    sweep('#20595c', '#2d6b6c', '#347271', '#245a5b', 0.9) +
    textured('plaster', sheet('#fff'), 0.32) +
    windowLight(330, -60, 1.62, '#fff1c9', 0.5, 3) +
    place(300, 330, frame('print', oak)) +
    windowLight(330, -60, 1.62, '#ffe9b0', 0.26, 3) +
    branchShadow(-120, 1900, 1.15, -42, '#062a2c', 0.42, 16),
  vignette: 0.34,
  vignetteColour: '#03181a',
})

const detail = picture({
  defs: surfaces,
  body:
    sheet('#f2a7a0') +
    textured('tooth', sheet('#fff'), 0.4) +
    `<g transform="translate(-560 -260) rotate(-11 800 1000) scale(2.45)">${lying('<rect width="800" height="1000" fill="#7a2330"/>', 26, 30, 1)}${onPaper('close', 15)}</g>` +
    textured('tooth', sheet('#fff'), 0.28) +
    blurred(90, '<path d="M-100 1500L1700 700V1100L-100 2000Z" fill="#fff"/>', 0.16) +
    glow('key', 200, 200, 1200, '#fff3dc', 0.5, 'soft-light'),
  vignette: 0.22,
})

const vase =
  across('vase', [
    [0, '#2b1b3d'],
    [0.12, '#55406e'],
    [0.32, '#9d84b8'],
    [0.55, '#6a5286'],
    [0.9, '#2b1b3d'],
    [1, '#4b3663'],
  ]) +
  '<path d="M-46 0C-40 60 -130 110 -140 230C-150 350 -90 420 0 420C90 420 150 350 140 230C130 110 40 60 46 0Z" fill="url(#vase)"/><ellipse rx="46" ry="11" fill="#1c1029"/><ellipse rx="46" ry="11" fill="none" stroke="#a98fc2" stroke-width="4"/>' +
  blurred(
    9,
    '<path d="M-86 180C-96 240 -90 300 -72 340" stroke="#fff" stroke-width="16" stroke-linecap="round" fill="none"/>',
    0.6,
  )
const stems =
  '<g fill="none" stroke="#7a5a32" stroke-width="7" stroke-linecap="round"><path d="M-6 6C-20 -160 -60 -300 -130 -420M0 6C10 -190 30 -330 20 -520M8 6C40 -140 110 -240 170 -330"/></g>'
const tuft = (x: number, y: number, turn: number, size: number): string =>
  place(
    x,
    y,
    blurred(
      2,
      `<path d="M0 60C-46 20 -50 -80 0 -190C50 -80 46 20 0 60Z" fill="#e9cfa0"/><path d="M6 50C40 10 42 -70 4 -170Z" fill="#c79f62" opacity=".7"/>`,
    ),
    size,
    turn,
  )

const context = picture({
  defs: surfaces,
  body:
    table(['#efe3cf', '#dfcdb2'], ['#b98250', '#8a5730'], 1610) +
    clipped('wallarea', '<rect width="1600" height="1608"/>', textured('plaster', sheet('#fff'), 0.4)) +
    clipped('topboard', '<rect y="1612" width="1600" height="400"/>', textured('grainwood', sheet('#fff'), 0.7)) +
    windowLight(60, -120, 1.9, '#fffbe8', 0.95, 4) +
    blurred(28, '<path d="M380 1616H1480L1560 1700H560Z" fill="#2a1406"/>', 0.6, 'multiply') +
    place(330, 516, frame('lean', ['#3a3230', '#282220', '#171312']), 0.88) +
    branchShadow(-80, 760, 0.8, -28, '#6b5236', 0.3, 28) +
    `<rect y="1604" width="1600" height="7" fill="#f0c48c" opacity=".5"/>` +
    blurred(16, '<ellipse cx="330" cy="1716" rx="220" ry="34" fill="#1c0c04"/>', 0.7, 'multiply') +
    place(
      270,
      1300,
      stems +
        tuft(-138, -430, -24, 1) +
        tuft(20, -520, 2, 1.15) +
        tuft(178, -340, 32, 0.9) +
        tuft(-64, -280, -14, 0.7) +
        tuft(60, -260, 20, 0.65) +
        vase,
    ),
})

export const risoPoster: string[] = [hero, detail, context]
