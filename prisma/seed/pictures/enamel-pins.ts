import {
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
  textured,
  times,
  windowLight,
} from './shapes'

type Pin = { outline: string; enamel: string; shine: string }

const line = 'fill="none" stroke="url(#gold)" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"'

const scallop = (points: number, inner: number, outer: number): string => {
  const at = (radius: number, turn: number): string =>
    `${(Math.cos(turn) * radius).toFixed(1)} ${(Math.sin(turn) * radius).toFixed(1)}`
  const step = (Math.PI * 2) / points
  const arcs = Array.from(
    { length: points },
    (_, index) => `Q${at(outer, (index + 0.5) * step)} ${at(inner, (index + 1) * step)}`,
  )
  return `M${at(inner, 0)}${arcs.join('')}Z`
}

const sunOutline = scallop(12, 152, 226)
const sun: Pin = {
  outline: sunOutline,
  enamel: `<path d="${sunOutline}" fill="#f7b21e"/>${times(12, (index) => `<path d="M0 -140V-176" ${line} transform="rotate(${index * 30 + 15})"/>`)}<circle r="118" fill="#f2603c"/><circle r="118" ${line}/><path d="M-70 -14Q-46 -40 -22 -14M22 -14Q46 -40 70 -14M-46 34Q0 82 46 34" ${line}/><circle cx="-72" cy="26" r="17" fill="#f9a08a"/><circle cx="72" cy="26" r="17" fill="#f9a08a"/>`,
  shine: 'M-120 -96A152 152 0 0 1 10 -152',
}
const moonOutline = 'M60 -196A200 200 0 1 0 60 196A260 260 0 0 1 60 -196Z'
const moon: Pin = {
  outline: moonOutline,
  enamel: `<path d="${moonOutline}" fill="#3a46b8"/><path d="M-128 -60Q-100 -36 -72 -60" ${line}/><path d="M-104 60Q-76 84 -48 62" ${line}/><g fill="url(#gold)">${[
    [-40, -130, 15],
    [-118, 8, 12],
    [-60, 128, 14],
    [-20, -160, 7],
    [-96, -104, 7],
    [-30, 170, 7],
  ]
    .map(
      ([x, y, r]) =>
        `<path d="M${x} ${Number(y) - Number(r) * 1.8}L${Number(x) + Number(r) * 0.5} ${Number(y) - Number(r) * 0.5}L${Number(x) + Number(r) * 1.8} ${y}L${Number(x) + Number(r) * 0.5} ${Number(y) + Number(r) * 0.5}L${x} ${Number(y) + Number(r) * 1.8}L${Number(x) - Number(r) * 0.5} ${Number(y) + Number(r) * 0.5}L${Number(x) - Number(r) * 1.8} ${y}L${Number(x) - Number(r) * 0.5} ${Number(y) - Number(r) * 0.5}Z"/>`,
    )
    .join('')}</g>`,
  shine: 'M-128 -78A170 170 0 0 1 -50 -158',
}
const capOutline =
  'M-200 20C-200 -120 -104 -196 0 -196C104 -196 200 -120 200 20C200 56 130 66 84 68C78 120 92 150 100 176C106 202 64 212 0 212C-64 212 -106 202 -100 176C-92 150 -78 120 -84 68C-130 66 -200 56 -200 20Z'
const mushroom: Pin = {
  outline: capOutline,
  enamel: `<path d="${capOutline}" fill="#fbeedb"/><path d="M-200 20C-200 -120 -104 -196 0 -196C104 -196 200 -120 200 20C200 56 100 70 0 70C-100 70 -200 56 -200 20Z" fill="#e0342c"/><path d="M-200 20C-200 56 -100 70 0 70C100 70 200 56 200 20" ${line}/><g fill="#fff6e6" stroke="url(#gold)" stroke-width="8"><circle cx="-92" cy="-50" r="38"/><circle cx="44" cy="-106" r="32"/><circle cx="104" cy="-14" r="27"/><circle cx="-6" cy="6" r="20"/></g><path d="M-40 84V120M0 88V134M40 84V116" ${line}/>`,
  shine: 'M-160 -60A180 180 0 0 1 -60 -164',
}
const eyeOutline = 'M-226 0C-140 -140 140 -140 226 0C140 140 -140 140 -226 0Z'
const eye: Pin = {
  outline: eyeOutline,
  enamel: `<path d="${eyeOutline}" fill="#fdf3e0"/><circle r="100" fill="#1f9a94"/><circle r="100" ${line}/><circle r="52" fill="#152238"/><circle r="52" ${line}/><circle cx="-22" cy="-24" r="17" fill="#fff"/>${times(12, (index) => `<path d="M0 -66V-88" stroke="#0d5f66" stroke-width="7" stroke-linecap="round" transform="rotate(${index * 30})"/>`)}`,
  shine: 'M-180 -22C-140 -74 -80 -92 -40 -98',
}
const roundOutline = 'M-200 0A200 200 0 1 1 200 0A200 200 0 1 1 -200 0Z'
const wave: Pin = {
  outline: roundOutline,
  enamel: `<path d="${roundOutline}" fill="#ffc9b0"/><circle cx="62" cy="-52" r="66" fill="#f2603c"/><circle cx="62" cy="-52" r="66" ${line}/><path d="M-210 20C-150 -90 -40 -110 20 -34C-20 -50 -56 -36 -52 4C-46 60 60 60 210 10V210H-210Z" fill="#2f7fd0"/><path d="M-210 20C-150 -90 -40 -110 20 -34C-20 -50 -56 -36 -52 4C-46 60 60 60 210 10" ${line}/><path d="M-210 110C-120 50 -40 130 40 110S160 70 210 90V210H-210Z" fill="#173f8f"/><path d="M-210 110C-120 50 -40 130 40 110S160 70 210 90" ${line}/><path d="M-140 10C-110 -40 -60 -60 -30 -60" ${line}/>`,
  shine: 'M-156 -82A176 176 0 0 1 -60 -164',
}

const metals =
  linear(
    'gold',
    [
      [0, '#fff6d0'],
      [0.22, '#e6bb58'],
      [0.48, '#b07d1f'],
      [0.62, '#ffe9a6'],
      [1, '#8f6214'],
    ],
    0,
    0,
    1,
    1,
  ) +
  linear(
    'dome',
    [
      [0, '#fff', 0.5],
      [0.35, '#fff', 0.06],
      [0.6, '#000', 0],
      [1, '#000', 0.3],
    ],
    0,
    0,
    1,
    1,
  ) +
  relief('felt', { frequency: '.22', octaves: 4, depth: 2.6, seed: 12 }) +
  relief('card', { frequency: '.4', octaves: 2, depth: 1.3 }) +
  relief('twill', { frequency: '.5 .08', octaves: 2, depth: 2, seed: 5 }) +
  '<pattern id="weave" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="4" height="9" fill="#a9c6f0" opacity=".34"/><rect x="4" width="3" height="9" fill="#0d1f44" opacity=".3"/></pattern>'

/** A pin cast in brass and filled with hard enamel, about 420 across. */
const pin = (id: string, { outline, enamel, shine }: Pin, dx = 16, dy = 20): string =>
  lying(`<path d="${outline}" fill="#120a18" stroke="#120a18" stroke-width="22"/>`, dx, dy, 1.1) +
  `<path d="${outline}" fill="url(#gold)" stroke="url(#gold)" stroke-width="26" stroke-linejoin="round"/><path d="${outline}" fill="none" stroke="#6b4708" stroke-width="3" opacity=".55"/>` +
  clipped(
    id,
    `<path d="${outline}"/>`,
    enamel +
      `<path d="${outline}" fill="url(#dome)"/>` +
      blurred(9, `<path d="${outline}" fill="none" stroke="#1a0c04" stroke-width="18"/>`, 0.4) +
      blurred(
        5,
        `<path d="${shine}" fill="none" stroke="#fff" stroke-width="20" stroke-linecap="round" transform="scale(.84)"/>`,
        0.85,
      ) +
      blurred(48, '<path d="M-260 -60L120 -320H240L-260 120Z" fill="#fff"/>', 0.3),
  ) +
  `<path d="${outline}" fill="none" stroke="url(#gold)" stroke-width="7"/>`

const hero = picture({
  defs: metals,
  body:
    sheet('#2b2f6e') +
    textured('felt', sheet('#fff'), 0.6) +
    glow('key', 320, 320, 1200, '#9fa6ff', 0.5, 'soft-light') +
    place(
      800,
      1000,
      lying('<rect x="-610" y="-800" width="1220" height="1600" rx="36" fill="#080a2a"/>', 40, 50, 1.2) +
        linear(
          'backing',
          [
            [0, '#ffe3d4'],
            [1, '#f6b9a4'],
          ],
          0,
          0,
          1,
          1,
        ) +
        clipped(
          'backcard',
          '<rect x="-610" y="-800" width="1220" height="1600" rx="36"/>',
          '<rect x="-610" y="-800" width="1220" height="1600" fill="url(#backing)"/><circle cx="0" cy="20" r="520" fill="#f9d2bf"/><g fill="none" stroke="#e8836a" stroke-width="4" opacity=".55"><circle cy="20" r="520"/><circle cy="20" r="330" stroke-dasharray="4 18"/></g>' +
            textured('card', '<rect x="-610" y="-800" width="1220" height="1600" fill="#fff"/>', 0.4),
        ) +
        '<rect x="-90" y="-744" width="180" height="44" rx="22" fill="#2b2f6e"/>' +
        blurred(5, '<path d="M-70 -736H70" stroke="#000" stroke-width="14"/>', 0.6) +
        '<rect x="-607" y="-797" width="1214" height="1594" rx="34" fill="none" stroke="#fff" stroke-width="5" opacity=".6"/>' +
        place(-300, -380, pin('sun', sun), 0.98, -8) +
        place(310, -370, pin('moon', moon), 1, 14) +
        place(0, 36, pin('eye', eye), 1.22, -4) +
        place(-300, 440, pin('mushroom', mushroom), 0.98, -7) +
        place(305, 446, pin('wave', wave), 0.98, 8),
      1,
      -3,
    ) +
    blurred(90, '<path d="M-100 900L1000 -300H1300L-100 1300Z" fill="#fff"/>', 0.2, 'soft-light'),
  vignette: 0.4,
  vignetteColour: '#05062a',
})

const detail = picture({
  defs: metals,
  body:
    sheet('#e88a6a') +
    textured('felt', sheet('#fff'), 0.6) +
    glow('key', 300, 300, 1200, '#ffe6c8', 0.6, 'soft-light') +
    place(760, 900, pin('macro', mushroom, 24, 30), 2.9, -8) +
    place(1500, 1800, pin('next', sun, 24, 30), 2.4, 20),
  vignette: 0.3,
  vignetteColour: '#3a0d04',
})

const stitched = (path: string): string =>
  `<path d="${path}" fill="none" stroke="#0f2140" stroke-width="5" opacity=".5" transform="translate(3 4)"/><path d="${path}" fill="none" stroke="#e9a24c" stroke-width="7" stroke-dasharray="22 11" stroke-linecap="round"/>`
const context = picture({
  defs: metals,
  body:
    sheet('#34568a') +
    `<g transform="rotate(34 800 1000)"><g transform="translate(-800 -800) scale(2)">${textured('twill', sheet('#fff'), 0.4)}</g><g transform="translate(-800 -800) scale(2)">${sheet('url(#weave)')}</g></g>` +
    blurred(
      48,
      '<path d="M-50 300Q500 200 900 500T1700 700M-50 1500Q600 1300 1700 1750" fill="none" stroke="#0d1f44" stroke-width="90"/>',
      0.5,
    ) +
    blurred(
      48,
      '<path d="M-50 180Q500 80 900 380T1700 560M-50 1360Q600 1180 1700 1620" fill="none" stroke="#a9c6f0" stroke-width="70"/>',
      0.4,
    ) +
    place(
      330,
      760,
      lying('<path d="M0 0H1000V860L500 1060L0 860Z" fill="#081530"/>', 16, 22, 0.9) +
        clipped(
          'pocket',
          '<path d="M0 0H1000V860L500 1060L0 860Z"/>',
          '<rect width="1000" height="1080" fill="#3a5f96"/>' +
            `<g transform="rotate(34 500 500) translate(-400 -400) scale(1.4)">${textured('twill', sheet('#fff'), 0.4)}${sheet('url(#weave)')}</g>` +
            blurred(90, '<circle cx="260" cy="260" r="300" fill="#cfe0ff"/>', 0.4, 'soft-light'),
        ) +
        stitched('M26 0V842L500 1032L974 842V0') +
        stitched('M56 0V824L500 1002L944 824V0') +
        '<path d="M0 0H1000V150H0Z" fill="#31538a"/>' +
        blurred(9, '<path d="M0 156H1000" stroke="#081530" stroke-width="16"/>', 0.5) +
        stitched('M10 126H990M10 24H990'),
      1,
      -6,
    ) +
    place(700, 1230, pin('worn-sun', sun), 0.86, -12) +
    place(1090, 1150, pin('worn-eye', eye), 0.8, 8) +
    place(900, 1500, pin('worn-moon', moon), 0.8, 10) +
    place(420, 420, pin('worn-wave', wave), 0.84, -10) +
    place(1110, 430, pin('worn-cap', mushroom), 0.78, 12) +
    windowLight(300, -200, 1.9, '#fff3d4', 0.5, 6) +
    branchShadow(1680, 1980, 1, 215, '#0a1430', 0.3, 28),
  vignette: 0.36,
  vignetteColour: '#040b20',
})

export const enamelPins: string[] = [hero, detail, context]
