import { candle } from './parts/candle'
import {
  across,
  blurred,
  clipped,
  glow,
  linear,
  lying,
  picture,
  place,
  radial,
  relief,
  sheet,
  speckles,
  standing,
  sweep,
  textured,
  times,
} from './shapes'

const surfaces =
  relief('plaster', { frequency: '.008 .012', octaves: 5, depth: 6, seed: 18 }) +
  relief('cloth', { frequency: '.4', octaves: 2, depth: 2 }) +
  relief('stone', { frequency: '.016', octaves: 5, depth: 4, seed: 40 })

const block = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: readonly [string, string],
  id: string,
): string =>
  across(id, [
    [0, fill[0]],
    [1, fill[1]],
  ]) +
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="url(#${id})"/><rect x="${x}" y="${y}" width="${width}" height="5" fill="#ffdca0" opacity=".4"/>`

const hero = picture({
  defs: surfaces,
  body:
    sweep('#173029', '#25503f', '#4a5a35', '#14241d', 0.76) +
    textured('plaster', sheet('#fff'), 0.3) +
    glow('room', 800, 760, 1050, '#c98a3c', 0.5, 'soft-light') +
    glow('near', 800, 720, 820, '#ffb152', 0.3, 'screen') +
    '<circle cx="800" cy="720" r="640" fill="none" stroke="#e9b66c" stroke-width="3" opacity=".35"/>' +
    across('stoneside', [
      [0, '#5c5138'],
      [0.45, '#8a7a52'],
      [1, '#2c281c'],
    ]) +
    '<path d="M330 1490V2000H1270V1490Z" fill="url(#stoneside)"/><ellipse cx="800" cy="1490" rx="470" ry="108" fill="#a08c5e"/>' +
    clipped(
      'top',
      '<ellipse cx="800" cy="1490" rx="470" ry="108"/>',
      textured('stone', '<rect x="300" y="1380" width="1000" height="220" fill="#fff"/>', 0.6) +
        glow('pool-light', 800, 1470, 420, '#ffcf7d', 0.7, 'soft-light'),
    ) +
    '<path d="M330 1490A470 108 0 0 0 1270 1490" fill="none" stroke="#e9d09a" stroke-width="4" opacity=".5"/>' +
    blurred(48, '<ellipse cx="800" cy="1660" rx="460" ry="60" fill="#0c0d08"/>', 0.35, 'multiply') +
    standing(790, 1500, 300, '#140c04', 0.95, 50) +
    place(800, 740, candle('lit'), 1.22),
  vignette: 0.6,
  vignetteColour: '#050a06',
  grain: 0.24,
})

const detail = picture({
  defs: surfaces,
  body:
    sheet('#263228') +
    textured('cloth', sheet('#fff'), 0.4) +
    glow('spill', 800, 1000, 1150, '#e39a44', 0.6, 'soft-light') +
    place(800, 1010, lying('<circle r="640" fill="#060803"/>', 40, 60, 1.2)) +
    linear(
      'rimglass',
      [
        [0, '#e8a862'],
        [0.5, '#8a4216'],
        [1, '#3d1606'],
      ],
      0,
      0,
      1,
      1,
    ) +
    radial('melt', [
      [0, '#fff6cf'],
      [0.2, '#ffe09a'],
      [0.5, '#f5bd6c'],
      [0.8, '#e09a50'],
      [1, '#b06a2c'],
    ]) +
    radial('liquid', [
      [0, '#fffbe8'],
      [0.5, '#ffe7ac', 0.9],
      [0.94, '#f6bf68', 0.7],
      [1, '#fff3cf', 0.9],
    ]) +
    '<circle cx="800" cy="1010" r="650" fill="url(#rimglass)"/>' +
    times(
      64,
      (index) =>
        `<path d="M-9 -652L0 -610L9 -652Z" fill="#2b0f04" opacity=".5" transform="translate(800 1010) rotate(${index * 5.625})"/>`,
    ) +
    '<circle cx="800" cy="1010" r="604" fill="#3b1607"/><circle cx="800" cy="1010" r="606" fill="none" stroke="#ffd9a0" stroke-width="5" opacity=".7"/><circle cx="806" cy="1020" r="576" fill="url(#melt)"/>' +
    clipped(
      'bowl',
      '<circle cx="806" cy="1020" r="576"/>',
      textured('stone', '<rect x="200" y="400" width="1200" height="1200" fill="#fff"/>', 0.35) +
        '<path d="M440 980C430 760 640 640 830 650C1040 640 1190 800 1180 1010C1190 1230 1010 1380 800 1376C590 1380 440 1210 440 980Z" fill="url(#liquid)"/>' +
        blurred(
          5,
          '<path d="M500 900C540 760 640 700 760 690" fill="none" stroke="#fff" stroke-width="20" stroke-linecap="round"/>',
          0.8,
        ) +
        blurred(28, '<path d="M220 1020A586 586 0 0 1 1390 1000A620 620 0 0 0 220 1020Z" fill="#2b0f02"/>', 0.75) +
        speckles(50, 26, [480, 1120, 600, 200], '#7a4a86', 11) +
        speckles(52, 18, [600, 720, 420, 120], '#6d7a3c', 10),
    ) +
    place(
      812,
      1030,
      blurred(9, '<path d="M0 0L150 120" stroke="#7a3c0c" stroke-width="20" stroke-linecap="round"/>', 0.35) +
        glow('corona', 0, 0, 420, '#fff0b8', 0.85, 'screen') +
        '<circle r="13" fill="#3a1a06"/>' +
        blurred(5, '<path d="M-10 10C-60 -30 -46 -120 0 -170C52 -116 58 -30 12 10Z" fill="#ffc24a"/>') +
        blurred(2, '<path d="M-4 4C-34 -26 -30 -84 0 -122C34 -80 34 -24 6 4Z" fill="#fffbe4"/>'),
    ),
  vignette: 0.6,
  vignetteColour: '#040805',
})

const match =
  '<rect width="300" height="16" rx="3" fill="#e7c08c"/><rect width="300" height="5" rx="2" fill="#fff" opacity=".3"/><rect x="272" y="-6" width="46" height="28" rx="14" fill="#b3261c"/><ellipse cx="286" cy="2" rx="9" ry="4" fill="#fff" opacity=".5"/>'

const context = picture({
  defs: surfaces,
  body:
    sweep('#3a1c30', '#6a2f3e', '#7a3c40', '#4c2128', 0.86) +
    textured('plaster', sheet('#fff'), 0.25) +
    glow('room', 640, 700, 1100, '#ff9c54', 0.45, 'soft-light') +
    glow('near', 650, 640, 700, '#ffa04c', 0.24, 'screen') +
    linear('desk', [
      [0, '#a3593c'],
      [0.25, '#7a3b2c'],
      [1, '#331218'],
    ]) +
    '<rect y="1742" width="1600" height="260" fill="url(#desk)"/><rect y="1742" width="1600" height="4" fill="#ffb27c" opacity=".35"/>' +
    blurred(28, '<rect x="200" y="1738" width="1260" height="56" fill="#0d0408"/>', 0.8, 'multiply') +
    block(170, 1560, 1140, 176, ['#d9b48a', '#7a4e36'], 'book-one') +
    '<rect x="170" y="1560" width="70" height="176" fill="#a84832"/><g fill="#5a3320" opacity=".25"><rect x="240" y="1596" width="1070" height="3"/><rect x="240" y="1636" width="1070" height="3"/><rect x="240" y="1680" width="1070" height="3"/></g><rect x="170" y="1554" width="1150" height="16" fill="#b5543a"/><rect x="170" y="1726" width="1150" height="16" fill="#7a2f22"/>' +
    block(250, 1402, 980, 150, ['#4c6a6c', '#1d2c33'], 'book-two') +
    '<g fill="#e9c98c" opacity=".75"><rect x="330" y="1402" width="14" height="150"/><rect x="362" y="1402" width="5" height="150"/><rect x="1120" y="1402" width="14" height="150"/><rect x="1096" y="1402" width="5" height="150"/></g>' +
    blurred(16, '<rect x="300" y="1396" width="900" height="12" fill="#080306"/>', 0.5) +
    standing(650, 1402, 244, '#080306', 0.9, 26) +
    place(650, 726, candle('shelf'), 1.06) +
    place(1000, 1382, match, 1, -4) +
    blurred(5, '<rect x="990" y="1392" width="330" height="10" fill="#080306"/>', 0.6),
  vignette: 0.6,
  vignetteColour: '#12050c',
  grain: 0.24,
})

export const pouredCandle: string[] = [hero, detail, context]
