import { cobalt, disc, sleeve } from './parts/record'
import { blurred, glow, linear, lying, picture, place, radial, relief, sheet, textured } from './shapes'

const surfaces =
  relief('card', { frequency: '.5', octaves: 2, depth: 1.2 }) +
  relief('wall', { frequency: '.01', octaves: 5, depth: 4, seed: 30 }) +
  relief('wood', { frequency: '.003 .07', octaves: 4, depth: 5, seed: 16 })

const hero = picture({
  defs: surfaces,
  body:
    sheet('#f6957a') +
    textured('wall', sheet('#fff'), 0.22) +
    linear(
      'split',
      [
        [0, '#fbb59a'],
        [1, '#ee7c66'],
      ],
      0,
      0,
      1,
      1,
    ) +
    '<path d="M0 0H1600V2000H0Z" fill="url(#split)" opacity=".8"/>' +
    glow('key', 200, 160, 1100, '#fff2d8', 0.6, 'soft-light') +
    place(950, 700, lying('<circle r="500" fill="#5a1226"/>', 60, 72, 1) + disc('record', cobalt), 1.1, 8) +
    place(130, 640, sleeve('sleeve'), 1.08, -5),
  vignette: 0.22,
})

const detail = picture({
  body:
    sheet('#12123a') +
    place(150, 1820, disc('macro', cobalt), 3.5, 22) +
    blurred(90, '<path d="M-100 300L1700 -500V-100L-100 900Z" fill="#fff"/>', 0.2) +
    glow('warm', 1500, 1900, 1000, '#ff7a5c', 0.4, 'screen'),
  vignette: 0.5,
  vignetteColour: '#05052a',
})

const arm =
  linear(
    'metal',
    [
      [0, '#fff'],
      [0.3, '#c9ccd4'],
      [0.6, '#7d818d'],
      [1, '#e8eaf0'],
    ],
    0,
    0,
    1,
    1,
  ) +
  radial(
    'knob',
    [
      [0, '#fff'],
      [0.5, '#c3c6cf'],
      [1, '#6d717c'],
    ],
    0.35,
    0.3,
    0.8,
  )
const tonearm =
  '<path d="M1290 620C1320 900 1250 1120 1078 1258" fill="none" stroke="url(#metal)" stroke-width="24" stroke-linecap="round"/><path d="M1098 1238L1024 1300L1052 1340L1132 1284Z" fill="#23222c"/><path d="M1094 1248L1036 1296" stroke="#fff" stroke-width="4" opacity=".5"/>'

const context = picture({
  defs: surfaces + arm,
  body:
    sheet('#8a5531') +
    textured('wood', sheet('#fff'), 0.5) +
    place(0, 0, lying('<rect x="90" y="300" width="1420" height="1380" rx="44" fill="#1c0c04"/>', 54, 66, 1.2)) +
    linear(
      'plinth',
      [
        [0, '#f7f1e4'],
        [1, '#d9cdb8'],
      ],
      0,
      0,
      1,
      1,
    ) +
    '<rect x="90" y="300" width="1420" height="1380" rx="44" fill="url(#plinth)"/><rect x="93" y="303" width="1414" height="1374" rx="42" fill="none" stroke="#fff" stroke-width="6" opacity=".8"/>' +
    place(
      690,
      990,
      lying('<circle r="560" fill="#3b2a1c"/>', 12, 14, 0.9) +
        '<circle r="566" fill="url(#knob)"/><circle r="552" fill="#22202a"/>',
    ) +
    place(690, 990, disc('playing', cobalt), 1.06, 24) +
    place(
      1290,
      560,
      lying('<circle r="120" fill="#3b2a1c"/>', 22, 26) +
        '<circle r="122" fill="url(#knob)"/><circle r="86" fill="#e9e5dc"/><circle r="52" fill="url(#knob)"/>',
    ) +
    place(
      26,
      40,
      blurred(
        9,
        '<path d="M1290 620C1320 900 1250 1120 1078 1258L1030 1320" fill="none" stroke="#2a0818" stroke-width="28"/>',
        0.5,
        'multiply',
      ),
    ) +
    tonearm +
    place(
      1290,
      520,
      '<rect x="-30" y="-130" width="60" height="120" rx="14" fill="#2a2934"/><rect x="-22" y="-124" width="10" height="108" rx="5" fill="#fff" opacity=".35"/>',
    ) +
    place(
      1360,
      1520,
      lying('<circle r="54" fill="#3b2a1c"/>', 12, 14) +
        '<circle r="56" fill="url(#knob)"/><path d="M0 -12V-48" stroke="#4a4a55" stroke-width="7" stroke-linecap="round"/>',
    ) +
    place(1220, 1548, '<circle r="16" fill="#f0543a"/><circle r="5" cx="-5" cy="-5" fill="#fff" opacity=".8"/>') +
    blurred(48, '<path d="M-100 900L1100 -300H1500L-100 1400Z" fill="#fff6dc"/>', 0.3, 'soft-light') +
    glow('key', 260, 260, 1000, '#fff3d8', 0.6, 'soft-light'),
  vignette: 0.4,
})

export const vinylRecord: string[] = [hero, detail, context]
