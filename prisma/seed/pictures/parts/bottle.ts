import { across, blurred, clipped, fixed, linear, place, textured, times } from '../shapes'

export type Sauce = {
  id: string
  light: string
  mid: string
  dark: string
  wax: readonly [string, string, string]
  paper: string
  ink: string
  sun: string
}

export const red: Sauce = {
  id: 'red',
  light: '#ff7a4a',
  mid: '#d8300f',
  dark: '#6b0d04',
  wax: ['#4a4a55', '#22222b', '#0c0c12'],
  paper: '#fbf0d8',
  ink: '#d8300f',
  sun: '#ffb32c',
}
export const green: Sauce = {
  id: 'green',
  light: '#c9d860',
  mid: '#7d9a1f',
  dark: '#33480a',
  wax: ['#f2b0a0', '#d97862', '#8a3a2a'],
  paper: '#fbf0d8',
  ink: '#2f6b3f',
  sun: '#f2705a',
}
export const amber: Sauce = {
  id: 'amber',
  light: '#ffd060',
  mid: '#f09a14',
  dark: '#8a4503',
  wax: ['#f7efe0', '#dccdb2', '#96835f'],
  paper: '#fbf0d8',
  ink: '#c95a0c',
  sun: '#e0394a',
}

export const glass =
  'M-62 -520C-64 -400 -66 -360 -74 -300C-90 -220 -218 -200 -226 -60V520C-226 566 -196 580 -150 582C-60 588 60 588 150 582C196 580 226 566 226 520V-60C218 -200 90 -220 74 -300C66 -360 64 -400 62 -520Z'
export const chilliPath = 'M0 0C70 -14 110 60 96 170C82 290 20 400 -70 470C-30 380 -40 300 -52 200C-62 110 -70 14 0 0Z'

export const chilli = (id: string, colours: readonly [string, string, string]): string =>
  linear(
    id,
    [
      [0, colours[0]],
      [0.45, colours[1]],
      [1, colours[2]],
    ],
    0,
    0.2,
    1,
    0.5,
  ) +
  `<path d="${chilliPath}" fill="url(#${id})"/>` +
  blurred(
    5,
    '<path d="M-24 50C-30 140 -8 240 -22 330" fill="none" stroke="#fff" stroke-width="15" stroke-linecap="round"/>',
    0.75,
  ) +
  blurred(9, '<path d="M88 80C92 200 50 310 -40 420" fill="none" stroke="#2b0300" stroke-width="20"/>', 0.5) +
  '<path d="M-46 22C-30 -20 50 -26 72 20C40 10 30 34 8 22C-10 38 -24 14 -46 22Z" fill="#4d7a2c"/><path d="M6 4C2 -40 22 -70 56 -86" fill="none" stroke="#4d7a2c" stroke-width="17" stroke-linecap="round"/><path d="M2 0C0 -36 16 -62 46 -80" fill="none" stroke="#a3c468" stroke-width="5" stroke-linecap="round"/>'

/** The wrap-around label: a chilli in front of a sun, printed in two inks. */
const label = ({ id, paper, ink, sun }: Sauce): string => {
  const rays = times(
    18,
    (index) => `<path d="M-9 -158L0 -206L9 -158Z" fill="${sun}" transform="rotate(${index * 20})"/>`,
  )
  return (
    clipped(
      `${id}-label`,
      '<path d="M-226 20Q0 60 226 20V470Q0 512 -226 470Z"/>',
      `<rect x="-230" y="0" width="460" height="520" fill="${paper}"/><path d="M-230 6Q0 56 230 6V62Q0 104 -230 62Z" fill="${ink}"/><path d="M-230 420Q0 462 230 420V530H-230Z" fill="${ink}"/><path d="M-230 402Q0 444 230 402" fill="none" stroke="${sun}" stroke-width="9"/><path d="M-230 84Q0 126 230 84" fill="none" stroke="${sun}" stroke-width="9"/>` +
        place(0, 264, rays + `<circle r="128" fill="${sun}"/>`, 0.78) +
        place(
          8,
          150,
          `<path d="${chilliPath}" fill="${ink}"/><path d="M-26 40C-30 130 -12 220 -24 300" fill="none" stroke="${paper}" stroke-width="14" stroke-linecap="round"/><path d="M6 4C2 -34 22 -56 50 -66" fill="none" stroke="#2f5a2c" stroke-width="18" stroke-linecap="round"/><path d="M-46 22C-30 -16 50 -20 72 20C40 10 30 34 8 22C-10 38 -24 14 -46 22Z" fill="#2f5a2c"/>`,
          0.5,
          14,
        ) +
        textured('tooth', '<rect x="-230" y="0" width="460" height="520" fill="#fff"/>', 0.4) +
        `<g fill="${paper}">${times(5, (index) => `<circle cx="${-60 + index * 30}" cy="${478 - Math.abs(index - 2) * 2}" r="7"/>`)}</g>`,
    ) +
    across(`${id}-wrap`, [
      [0, '#2b0a00', 0.62],
      [0.12, '#2b0a00', 0.12],
      [0.28, '#fff', 0.3],
      [0.42, '#fff', 0],
      [0.7, '#2b0a00', 0.1],
      [1, '#2b0a00', 0.66],
    ]) +
    `<path d="M-226 20Q0 60 226 20V470Q0 512 -226 470Z" fill="url(#${id}-wrap)"/>`
  )
}

/** A bottle 452 wide; glass from -520 to 582, the waxed cap reaches -640. */
export const bottle = (sauce: Sauce): string => {
  const { id, light, mid, dark, wax } = sauce
  return (
    across(`${id}-sauce`, [
      [0, dark],
      [0.12, mid],
      [0.3, light],
      [0.52, mid],
      [0.86, dark],
      [0.96, dark],
      [1, mid],
    ]) +
    across(`${id}-wax`, [
      [0, wax[2]],
      [0.28, wax[0]],
      [0.5, wax[1]],
      [1, wax[2]],
    ]) +
    across(`${id}-glass`, [
      [0, dark, 0.5],
      [0.4, '#fff', 0.35],
      [0.6, '#fff', 0.35],
      [1, dark, 0.55],
    ]) +
    `<path d="M-62 -520C-64 -400 -66 -360 -74 -300H74C66 -360 64 -400 62 -520Z" fill="url(#${id}-glass)"/><path d="${glass}" fill="#fff" opacity=".25"/>` +
    clipped(
      `${id}-bottle`,
      `<path d="${glass}"/>`,
      `<path d="M-230 -330Q0 -312 230 -330V600H-230Z" fill="url(#${id}-sauce)"/><ellipse cy="-329" rx="70" ry="12" fill="${light}"/>` +
        blurred(
          16,
          `<path d="M-200 -60V540" stroke="${light}" stroke-width="20"/><path d="M206 -40V540" stroke="${light}" stroke-width="12"/>`,
          0.5,
        ) +
        `<g fill="${dark}" opacity=".45">${times(40, (index) => `<circle cx="${fixed(Math.cos(index * 2.4) * Math.sqrt(index) * 32)}" cy="${fixed(-90 + Math.sin(index * 2.4) * Math.sqrt(index) * 17)}" r="${2 + ((index * 7) % 4)}"/>`)}</g>` +
        blurred(28, `<path d="M-240 540Q0 620 240 540V620H-240Z" fill="#1c0200"/>`, 0.7),
    ) +
    label(sauce) +
    blurred(
      5,
      '<path d="M-48 -480C-50 -400 -50 -360 -58 -296" fill="none" stroke="#fff" stroke-width="15" stroke-linecap="round"/><path d="M-84 -244C-140 -206 -190 -170 -200 -60V540" fill="none" stroke="#fff" stroke-width="18" stroke-linecap="round"/>',
      0.8,
    ) +
    blurred(
      2,
      '<path d="M206 -60V530M60 -470C58 -400 62 -350 66 -310" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round"/>',
      0.65,
    ) +
    `<path d="${glass}" fill="none" stroke="#fff" stroke-width="3" opacity=".35"/>` +
    `<path d="M-78 -636C-40 -650 40 -650 78 -636V-500C84 -452 70 -400 62 -414C52 -440 50 -470 36 -462C22 -452 30 -386 10 -384C-8 -384 -4 -446 -22 -452C-40 -456 -36 -420 -52 -424C-70 -430 -80 -460 -78 -500Z" fill="url(#${id}-wax)"/><ellipse cy="-637" rx="78" ry="14" fill="${wax[0]}"/>` +
    blurred(5, '<path d="M-46 -616V-480" stroke="#fff" stroke-width="12" stroke-linecap="round"/>', 0.6)
  )
}
