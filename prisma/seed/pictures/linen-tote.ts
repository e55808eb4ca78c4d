import {
  across,
  blurred,
  branchShadow,
  clipped,
  fixed,
  glow,
  lying,
  picture,
  place,
  radial,
  relief,
  sheet,
  standing,
  sweep,
  table,
  textured,
  times,
  windowLight,
} from './shapes'

const bagPath =
  'M-400 0C-392 300 -420 700 -446 1010C-448 1050 -420 1070 -380 1074C-140 1098 140 1098 380 1074C420 1070 448 1050 446 1010C420 700 392 300 400 0C260 22 -260 22 -400 0Z'

const lemonLeaf =
  '<path d="M0 0C60 -90 190 -110 260 -40C190 30 70 50 0 0Z" fill="#2f6b4f"/><path d="M8 -2C90 -30 170 -44 246 -40" fill="none" stroke="#f2ead6" stroke-width="6"/>'
const lemon = (turn: number): string =>
  `<g transform="rotate(${turn})"><path d="M-190 0C-180 -110 -90 -158 10 -150C90 -146 140 -108 168 -62C190 -50 214 -30 222 -4C214 26 190 42 168 54C140 104 90 146 8 150C-92 154 -182 108 -190 0Z" fill="#f4b81f"/><path d="M-120 -70C-80 -118 -20 -128 20 -124" fill="none" stroke="#fff1c0" stroke-width="18" stroke-linecap="round"/><g fill="#c9800f">${times(26, (index) => `<circle cx="${fixed(Math.cos(index * 2.4) * (22 + index * 5) + 10)}" cy="${fixed(Math.sin(index * 2.4) * (18 + index * 3.6) + 14)}" r="${3 + (index % 3)}"/>`)}</g></g>`
const slice = `<circle r="128" fill="#f4b81f"/><circle r="110" fill="#f7efdc"/>${times(8, (index) => `<path d="M0 -14L34 -88Q0 -112 -34 -88Z" fill="#f4b81f" transform="rotate(${index * 45})"/>`)}`
const print = `<g style="mix-blend-mode:multiply">${place(-60, 470, lemon(-24))}${place(60, 344, lemonLeaf, 1, -28)}${place(-70, 320, lemonLeaf, 0.85, 206)}${place(140, 720, slice)}${place(-170, 740, '<g fill="none" stroke="#2f6b4f" stroke-width="12" stroke-linecap="round"><path d="M-90 40Q-60 0 -20 30T60 20M-90 84Q-60 44 -20 74T40 70"/></g>')}</g>`

const band = (path: string, colour: string, dark: string): string =>
  `<g fill="none" stroke-linecap="butt"><path d="${path}" stroke="${dark}" stroke-width="62"/><path d="${path}" stroke="${colour}" stroke-width="54"/><path d="${path}" stroke="#fff" stroke-width="38" opacity=".18"/><path d="${path}" stroke="#a38a62" stroke-width="3" stroke-dasharray="13 8" transform="translate(-19 0)"/><path d="${path}" stroke="#a38a62" stroke-width="3" stroke-dasharray="13 8" transform="translate(19 0)"/></g>`

/** A printed linen bag, 890 by 1080; the origin is the middle of its opening, the handles reach 560 above it. */
const tote = (id: string, inside = '', hung = true): string => {
  const back = hung
    ? 'M-196 60C-190 -220 -120 -470 -14 -548C110 -470 190 -220 196 60'
    : 'M-190 60C-250 -200 -170 -330 -20 -330C140 -330 230 -200 190 60'
  const front = hung
    ? 'M-214 90C-206 -220 -130 -480 0 -560C130 -480 206 -220 214 90'
    : 'M-214 90C-300 260 -200 420 -10 420C190 420 290 260 214 90'
  return (
    across(`${id}-cloth`, [
      [0, '#b39a70'],
      [0.1, '#e2d0ab'],
      [0.3, '#f6ead0'],
      [0.55, '#ecdcba'],
      [0.85, '#d2bb90'],
      [1, '#a0855a'],
    ]) +
    band(back, '#c4ac80', '#8d7449') +
    '<path d="M-400 0C-260 -34 260 -34 400 0C260 26 -260 26 -400 0Z" fill="#6f5832"/>' +
    inside +
    clipped(
      `${id}-bag`,
      `<path d="${bagPath}"/>`,
      `<path d="${bagPath}" fill="url(#${id}-cloth)"/>` +
        print +
        textured('warp', '<rect x="-460" y="-20" width="920" height="1130" fill="#fff"/>', 0.55) +
        textured('weft', '<rect x="-460" y="-20" width="920" height="1130" fill="#fff"/>', 0.55) +
        blurred(
          28,
          '<path d="M-214 80C-250 380 -300 700 -260 1080M214 80C240 400 330 640 300 1080M-20 420C20 640 -60 900 10 1100" fill="none" stroke="#4d3615" stroke-width="30"/>',
          0.36,
        ) +
        blurred(
          28,
          '<path d="M-160 90C-190 400 -226 700 -190 1080M270 100C300 420 384 640 360 1080M60 500C96 700 40 900 90 1100" fill="none" stroke="#fff" stroke-width="34"/>',
          0.36,
        ) +
        blurred(28, '<path d="M-470 960Q0 1100 470 960V1120H-470Z" fill="#4d3615"/>', 0.5) +
        '<path d="M-400 62C-260 84 260 84 400 62" fill="none" stroke="#9a8055" stroke-width="4" stroke-dasharray="14 8"/>' +
        blurred(5, '<path d="M-400 6C-260 28 260 28 400 6" fill="none" stroke="#fff" stroke-width="9"/>', 0.6),
    ) +
    (hung
      ? ''
      : place(
          14,
          26,
          blurred(16, `<path d="${front}" fill="none" stroke="#3b2710" stroke-width="58"/>`, 0.4, 'multiply'),
        )) +
    band(front, '#efe1c2', '#a58c60') +
    [-214, 214]
      .map(
        (x) =>
          `<rect x="${x - 30}" y="72" width="60" height="66" fill="#eadbb9"/><path d="M${x - 22} 80h44v50h-44zl44 50m0 -50l-44 50" fill="none" stroke="#94794c" stroke-width="4" stroke-dasharray="9 6"/>`,
      )
      .join('')
  )
}

const surfaces =
  relief('warp', { frequency: '.36 .02', octaves: 2, depth: 2.4, seed: 4 }) +
  relief('weft', { frequency: '.02 .36', octaves: 2, depth: 2.4, seed: 15 }) +
  relief('plaster', { frequency: '.009 .012', octaves: 5, depth: 5, seed: 55 }) +
  relief('wood', { frequency: '.003 .08', octaves: 4, depth: 4, seed: 8 })
const peg = radial(
  'peg',
  [
    [0, '#fff3c9'],
    [0.4, '#d9a441'],
    [1, '#6b4510'],
  ],
  0.35,
  0.3,
  0.75,
)
const shade = (dx: number, dy: number): string =>
  place(
    dx,
    dy,
    blurred(
      48,
      `<path d="${bagPath}" fill="#17261c"/><path d="M-214 90C-206 -220 -130 -480 0 -560C130 -480 206 -220 214 90" fill="none" stroke="#17261c" stroke-width="56"/>`,
      0.5,
      'multiply',
    ),
  )

const hero = picture({
  defs: surfaces + peg,
  body:
    sweep('#a9bf9c', '#b9cba8', '#b4c6a2', '#96ae8a', 0.9) +
    textured('plaster', sheet('#fff'), 0.34) +
    windowLight(150, -160, 1.95, '#fffbe2', 0.8, 5) +
    place(
      800,
      760,
      shade(74, 70) +
        place(22, 20, blurred(9, `<path d="${bagPath}" fill="#17261c"/>`, 0.35, 'multiply')) +
        tote('hung'),
    ) +
    place(30, 34, blurred(9, '<circle cx="800" cy="196" r="40" fill="#17261c"/>', 0.6, 'multiply')) +
    '<circle cx="800" cy="196" r="44" fill="url(#peg)"/><circle cx="800" cy="196" r="20" fill="#b17a24"/><ellipse cx="788" cy="182" rx="14" ry="9" fill="#fff" opacity=".8"/>' +
    branchShadow(-140, 820, 1.15, -30, '#2f4a34', 0.32, 16),
  vignette: 0.24,
  vignetteColour: '#0a1a0e',
})

const detail = picture({
  defs: surfaces,
  body:
    sheet('#e0704a') +
    glow('back', 300, 300, 1200, '#ffb08a', 0.7) +
    place(
      740,
      250,
      place(
        40,
        46,
        blurred(48, `<g transform="scale(1.9)"><path d="${bagPath}" fill="#4d1608"/></g>`, 0.6, 'multiply'),
      ) + tote('close'),
      1.9,
      -5,
    ) +
    glow('key', 200, 300, 1200, '#fff5dc', 0.5, 'soft-light') +
    branchShadow(1700, 500, 1.1, 150, '#3b2410', 0.3, 28),
  vignette: 0.24,
})

const bloom = (x: number, y: number, size: number, colours: readonly [string, string]): string =>
  place(
    x,
    y,
    times(
      9,
      (index) =>
        `<ellipse cy="-58" rx="34" ry="62" fill="${index % 2 ? colours[0] : colours[1]}" transform="rotate(${index * 40})"/>`,
    ) + '<circle r="34" fill="#5a2a12"/><circle r="24" fill="#f4b81f"/>',
    size,
  )
const leaf = (x: number, y: number, turn: number, size: number, colour: string): string =>
  place(
    x,
    y,
    `<path d="M0 0C-70 -110 -60 -260 0 -360C60 -260 70 -110 0 0Z" fill="${colour}"/><path d="M0 0V-330" stroke="#fff" stroke-width="4" opacity=".25"/>`,
    size,
    turn,
  )
const groceries =
  across('crust', [
    [0, '#8a4a1a'],
    [0.3, '#e8a85c'],
    [0.6, '#c97f36'],
    [1, '#7a3d12'],
  ]) +
  leaf(-250, 20, -28, 1.05, '#3d6b45') +
  leaf(-180, 20, -12, 1.25, '#2f5a3c') +
  leaf(-300, 20, -44, 0.85, '#5a8a58') +
  leaf(-90, 20, 4, 1.1, '#4a7d52') +
  place(
    190,
    30,
    '<rect x="-74" y="-560" width="148" height="640" rx="72" fill="url(#crust)"/><g fill="none" stroke="#f9d9a0" stroke-width="20" stroke-linecap="round" opacity=".85"><path d="M-34 -470L38 -510M-40 -360L42 -404M-40 -250L42 -294M-40 -140L42 -184"/></g>',
    1,
    13,
  ) +
  '<g stroke="#3d6b45" stroke-width="12" fill="none"><path d="M-40 20C-60 -160 -90 -260 -120 -380M20 20C20 -140 30 -260 10 -440M-120 20C-180 -100 -230 -180 -280 -260"/></g>' +
  bloom(-124, -390, 1.05, ['#f6f0e4', '#e3d8c4']) +
  bloom(10, -450, 1.2, ['#f28a72', '#e0654e']) +
  bloom(-288, -270, 0.95, ['#f6c8b8', '#eba894'])

const context = picture({
  defs: surfaces,
  body:
    table(['#f0c6b4', '#e8b29c'], ['#c98a5a', '#8f5730'], 1640) +
    clipped('wallarea', '<rect width="1600" height="1640"/>', textured('plaster', sheet('#fff'), 0.3)) +
    clipped('bench', '<rect y="1642" width="1600" height="360"/>', textured('wood', sheet('#fff'), 0.5)) +
    windowLight(60, -240, 2, '#fff8e2', 0.85, 4) +
    place(880, 716, blurred(48, `<path d="${bagPath}" fill="#6b2f1c"/>`, 0.45, 'multiply')) +
    standing(770, 1766, 440, '#2f1406', 0.95, 56) +
    place(770, 690, tote('bench', groceries, false)) +
    place(
      1330,
      1760,
      lying('<circle r="90" fill="#2f1406"/>', 30, 24) +
        radial(
          'fruit',
          [
            [0, '#fff2b0'],
            [0.35, '#f7c632'],
            [1, '#b8780c'],
          ],
          0.36,
          0.3,
          0.8,
        ) +
        '<path d="M-120 0C-112 -70 -56 -98 6 -94C60 -90 96 -62 110 -34C124 -28 134 -14 136 0C132 18 122 26 110 34C94 66 56 92 4 94C-58 96 -114 68 -120 0Z" fill="url(#fruit)"/>',
      1,
      14,
    ),
  vignette: 0.26,
})

export const linenTote: string[] = [hero, detail, context]
