import { camera } from './parts/camera'
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

const surfaces =
  relief('leather', { frequency: '.11', octaves: 3, depth: 3, seed: 7 }) +
  relief('plaster', { frequency: '.009 .012', octaves: 5, depth: 5, seed: 90 }) +
  relief('wood', { frequency: '.003 .08', octaves: 4, depth: 4, seed: 8 })

const hero = picture({
  defs: surfaces,
  body:
    sweep('#d9a5b8', '#edbfc8', '#f6d3d0', '#d99aa8', 0.74) +
    textured('plaster', sheet('#fff'), 0.2) +
    linear(
      'orb',
      [
        [0, '#ffb38a'],
        [1, '#f0715a'],
      ],
      0,
      0,
      1,
      1,
    ) +
    place(880, 660, lying('<circle r="480" fill="#7a2f4a"/>', 40, 50, 0.6) + '<circle r="480" fill="url(#orb)"/>') +
    glow('key', 260, 240, 1100, '#fff6e6', 0.6, 'soft-light') +
    blurred(48, '<path d="M200 1600H1400L1700 1780L500 1830Z" fill="#6b2540"/>', 0.5, 'multiply') +
    linear('lid', [
      [0, '#7f5fd0'],
      [1, '#9f82e6'],
    ]) +
    across('case', [
      [0, '#5b3fae'],
      [0.4, '#7a5ccc'],
      [1, '#3a2580'],
    ]) +
    '<path d="M180 1420L300 1320H1300L1420 1420Z" fill="url(#lid)"/><rect x="180" y="1420" width="1240" height="600" fill="url(#case)"/><rect x="180" y="1420" width="1240" height="5" fill="#fff" opacity=".4"/>' +
    blurred(28, '<path d="M260 1368H1380L1440 1410H330Z" fill="#1f0f52"/>', 0.75, 'multiply') +
    blurred(5, '<rect x="270" y="1360" width="1070" height="22" rx="11" fill="#120838"/>', 0.8) +
    place(800, 1046, camera('body', ['#4a3a36', '#241a18']), 1) +
    branchShadow(-140, 420, 1.1, -14, '#7a3a52', 0.3, 28),
  vignette: 0.26,
  vignetteColour: '#2a0818',
})

const detail = picture({
  defs: surfaces,
  body:
    sheet('#e8a0a8') +
    place(760, 900, camera('macro', ['#4a3a36', '#241a18']), 2.1, -4) +
    glow('key', 200, 200, 1200, '#fff0dc', 0.5, 'soft-light') +
    blurred(90, '<path d="M-100 900L1200 -400H1600L-100 1400Z" fill="#fff"/>', 0.14, 'soft-light'),
  vignette: 0.4,
})

const stool =
  across('seat', [
    [0, '#f0c48c'],
    [0.5, '#d19a58'],
    [1, '#8f5f2a'],
  ]) +
  '<g stroke-linecap="round" fill="none"><path d="M-150 30L-220 560M150 30L220 560" stroke="#8f5f2a" stroke-width="32"/><path d="M-154 30L-226 560M146 30L214 560" stroke="#e0b074" stroke-width="11"/><path d="M-66 40L-92 500M66 40L92 500" stroke="#6b441c" stroke-width="26"/><path d="M-196 380H196" stroke="#a8733a" stroke-width="20"/></g><path d="M-230 0V34A230 52 0 0 0 230 34V0Z" fill="#9a6a34"/><ellipse rx="230" ry="52" fill="url(#seat)"/><ellipse rx="228" ry="50" fill="none" stroke="#ffe7c2" stroke-width="4" opacity=".7"/>'
const softbox = (id: string): string =>
  linear(
    `${id}-face`,
    [
      [0, '#ffffff'],
      [0.6, '#fff4dc'],
      [1, '#ffe0b0'],
    ],
    0,
    0,
    1,
    1,
  ) +
  '<path d="M60 400L40 1340" stroke="#26222c" stroke-width="20"/><path d="M54 400L34 1340" stroke="#6b6474" stroke-width="5"/><path d="M40 1150L-120 1350M40 1150L170 1350" stroke="#26222c" stroke-width="17" stroke-linecap="round"/>' +
  `<path d="M-170 -250L210 -330L250 340L-130 380Z" fill="#1c1822"/><path d="M-148 -228L188 -300L226 316L-110 354Z" fill="url(#${id}-face)"/><path d="M20 -264L58 334M-130 62L208 8" stroke="#e0cba4" stroke-width="4" opacity=".7"/>`

const context = picture({
  defs: surfaces,
  body:
    linear('room', [
      [0, '#3f3a5c'],
      [1, '#5a4a6b'],
    ]) +
    linear('ground', [
      [0, '#4a3c52'],
      [1, '#2a2236'],
    ]) +
    sheet('url(#room)') +
    '<rect y="1540" width="1600" height="460" fill="url(#ground)"/>' +
    textured('plaster', sheet('#fff'), 0.24) +
    windowLight(900, -100, 1.5, '#ffe3c2', 0.4, 4) +
    place(40, 30, blurred(48, '<path d="M330 190H1330V1600H330Z" fill="#0c0818"/>', 0.6, 'multiply')) +
    blurred(48, '<path d="M260 1840L1440 1800L1580 1930L360 1990Z" fill="#0c0818"/>', 0.6, 'multiply') +
    linear('roll', [
      [0, '#f59a78'],
      [0.55, '#f7ab88'],
      [0.74, '#ffc6a4'],
      [0.8, '#ffd0b0'],
      [1, '#f0926e'],
    ]) +
    '<path d="M340 180H1320V1420C1320 1560 1380 1720 1470 1860H190C280 1720 340 1560 340 1420Z" fill="url(#roll)"/>' +
    linear('tube', [
      [0, '#ffe1cb'],
      [0.4, '#f0926e'],
      [1, '#8f4030'],
    ]) +
    '<rect x="250" y="136" width="1160" height="26" rx="13" fill="#17131d"/><rect x="340" y="110" width="980" height="80" rx="36" fill="url(#tube)"/><path d="M340 186H1320" stroke="#7a2f20" stroke-width="8" opacity=".35"/>' +
    clipped(
      'paper',
      '<path d="M340 180H1320V1420C1320 1560 1380 1720 1470 1860H190C280 1720 340 1560 340 1420Z"/>',
      glow('pool', 740, 860, 760, '#fff0dc', 0.75, 'soft-light') +
        blurred(48, '<path d="M900 1660L1500 1500L1560 1600L980 1760Z" fill="#8f3a28"/>', 0.6, 'multiply') +
        place(140, 80, blurred(48, '<ellipse cx="860" cy="940" rx="300" ry="180" fill="#a8452e"/>', 0.45, 'multiply')),
    ) +
    standing(850, 1690, 230, '#7a2a1c', 0.8, 50) +
    place(850, 1150, stool) +
    standing(850, 1150, 200, '#4a260c', 0.8, 34) +
    place(850, 966, camera('set', ['#4a3a36', '#241a18']), 0.56) +
    place(190, 560, softbox('box')) +
    glow('flare', 200, 580, 640, '#fff0d0', 0.4, 'screen'),
  vignette: 0.34,
  vignetteColour: '#0a0618',
})

export const portraitSession: string[] = [hero, detail, context]
