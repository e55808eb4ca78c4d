import { across, blurred, clipped, linear, place, radial, textured, times } from '../shapes'

/** The front of a lens, radius 300, with coated glass that catches the window. */
const lens = (id: string): string => {
  const knurl = times(
    72,
    (index) =>
      `<rect x="-7" y="-296" width="13" height="34" rx="3" fill="${index % 2 ? '#1a1a1f' : '#4a4a54'}" transform="rotate(${index * 5})"/>`,
  )
  return (
    linear(
      `${id}-barrel`,
      [
        [0, '#6d6d78'],
        [0.45, '#26262c'],
        [1, '#0b0b0e'],
      ],
      0,
      0,
      1,
      1,
    ) +
    linear(
      `${id}-ring`,
      [
        [0, '#0a0a0d'],
        [0.55, '#2b2b32'],
        [1, '#73737f'],
      ],
      0,
      0,
      1,
      1,
    ) +
    radial(
      `${id}-glass`,
      [
        [0, '#030309'],
        [0.3, '#0d0a26'],
        [0.55, '#2c1a66'],
        [0.76, '#7a2f8a'],
        [0.9, '#d0607a'],
        [1, '#3a1a3c'],
      ],
      0.5,
      0.52,
      0.52,
    ) +
    radial(`${id}-iris`, [
      [0, '#000'],
      [0.7, '#06050f'],
      [1, '#1b1540'],
    ]) +
    `<circle r="304" fill="url(#${id}-barrel)"/>` +
    knurl +
    `<circle r="258" fill="url(#${id}-barrel)"/><circle r="240" fill="url(#${id}-ring)"/>` +
    times(9, (index) => `<circle r="${234 - index * 6}" fill="none" stroke="#000" stroke-width="2.5" opacity=".55"/>`) +
    `<circle r="182" fill="#050508"/><circle r="174" fill="url(#${id}-glass)"/>` +
    clipped(
      `${id}-in`,
      '<circle r="174"/>',
      '<circle r="118" fill="none" stroke="#e8a0c0" stroke-width="4" opacity=".35"/><circle r="92" fill="#07061a" opacity=".75"/>' +
        `<circle r="66" fill="url(#${id}-iris)"/><path d="M0 -58L50 -29V29L0 58L-50 29V-29Z" fill="#000"/><path d="M0 -58L50 -29V29L0 58L-50 29V-29Z" fill="none" stroke="#7a6ac0" stroke-width="3" opacity=".6"/>` +
        blurred(9, '<path d="M-150 -60A160 160 0 0 1 10 -158L20 -96A100 100 0 0 0 -92 -40Z" fill="#fff"/>', 0.6) +
        blurred(
          2,
          '<g fill="#fff" opacity=".9"><path d="M-118 -92L-66 -122L-58 -76L-100 -50Z"/><path d="M-56 -126L-10 -140L-8 -92L-48 -80Z"/></g>',
        ) +
        blurred(
          9,
          '<path d="M60 140A150 150 0 0 0 148 50" fill="none" stroke="#ff9a5c" stroke-width="26" stroke-linecap="round"/><path d="M20 118A120 120 0 0 0 110 60" fill="none" stroke="#5ad0c8" stroke-width="16" stroke-linecap="round"/>',
          0.75,
        ) +
        '<circle cx="70" cy="76" r="17" fill="#ffd9a0" opacity=".65"/><circle cx="98" cy="106" r="8" fill="#9affea" opacity=".6"/>',
    ) +
    `<circle r="182" fill="none" stroke="#8a8a96" stroke-width="3" opacity=".6"/><circle r="302" fill="none" stroke="#fff" stroke-width="3" opacity=".25"/><g fill="#f2ead6" opacity=".85">${times(9, (index) => `<rect x="-2.5" y="-254" width="5" height="${index % 4 ? 9 : 14}" transform="rotate(${-60 + index * 15})"/>`)}</g><circle cy="-247" r="6" fill="#ff5a3c" transform="rotate(90)"/>`
  )
}

/** A rangefinder 1100 wide and 640 tall; the origin is its middle. */
export const camera = (id: string, hide: readonly [string, string]): string =>
  linear(`${id}-top`, [
    [0, '#fdfbf6'],
    [0.3, '#d9d6d0'],
    [0.75, '#a09d98'],
    [1, '#6b6864'],
  ]) +
  linear(`${id}-base`, [
    [0, '#c9c6c0'],
    [1, '#6b6864'],
  ]) +
  across(`${id}-side`, [
    [0, '#000', 0.4],
    [0.08, '#fff', 0.12],
    [0.5, '#000', 0],
    [0.92, '#000', 0.16],
    [1, '#000', 0.55],
  ]) +
  across(`${id}-dial`, [
    [0, '#55534f'],
    [0.25, '#fbf9f4'],
    [0.5, '#b5b2ac'],
    [1, '#4a4845'],
  ]) +
  linear(
    `${id}-finder`,
    [
      [0, '#1a1a2c'],
      [0.5, '#4a5a8a'],
      [1, '#12121c'],
    ],
    0,
    0,
    1,
    1,
  ) +
  [
    [-400, 120, 56],
    [300, 150, 62],
    [440, 84, 40],
  ]
    .map(
      ([x, width, height]) =>
        `<rect x="${Number(x) - Number(width) / 2}" y="${-322 - Number(height)}" width="${width}" height="${Number(height) + 14}" rx="8" fill="url(#${id}-dial)"/>${times(Math.floor(Number(width) / 9), (index) => `<rect x="${Number(x) - Number(width) / 2 + 5 + index * 9}" y="${-316 - Number(height)}" width="3" height="${Number(height)}" fill="#000" opacity=".28"/>`)}<rect x="${Number(x) - Number(width) / 2}" y="${-322 - Number(height)}" width="${width}" height="7" rx="3" fill="#fff" opacity=".8"/>`,
    )
    .join('') +
  clipped(
    `${id}-shape`,
    '<rect x="-550" y="-322" width="1100" height="644" rx="86"/>',
    `<rect x="-550" y="-322" width="1100" height="190" fill="url(#${id}-top)"/>` +
      linear(`${id}-hide`, [
        [0, hide[0]],
        [1, hide[1]],
      ]) +
      `<rect x="-550" y="-132" width="1100" height="390" fill="url(#${id}-hide)"/>` +
      textured('leather', '<rect x="-550" y="-132" width="1100" height="390" fill="#fff"/>', 0.75) +
      `<rect x="-550" y="256" width="1100" height="70" fill="url(#${id}-base)"/><rect x="-550" y="-138" width="1100" height="7" fill="#000" opacity=".45"/><rect x="-550" y="252" width="1100" height="6" fill="#000" opacity=".45"/><rect x="-550" y="258" width="1100" height="4" fill="#fff" opacity=".7"/>` +
      `<rect x="-550" y="-322" width="1100" height="644" fill="url(#${id}-side)"/>` +
      blurred(9, '<path d="M-500 -308H500" stroke="#fff" stroke-width="14"/>', 0.9),
  ) +
  `<rect x="-330" y="-290" width="170" height="112" rx="18" fill="#26262b"/><rect x="-316" y="-276" width="142" height="84" rx="10" fill="url(#${id}-finder)"/><path d="M-310 -210L-250 -272H-206L-270 -200Z" fill="#fff" opacity=".35"/><rect x="150" y="-272" width="92" height="74" rx="12" fill="#26262b"/><rect x="160" y="-262" width="72" height="54" rx="7" fill="url(#${id}-finder)"/><circle cx="36" cy="-236" r="22" fill="#3a3a40"/><circle cx="36" cy="-236" r="15" fill="#7a1f2a"/><circle cx="31" cy="-241" r="5" fill="#fff" opacity=".7"/><circle cx="430" cy="-232" r="27" fill="#c93a05"/><circle cx="430" cy="-232" r="27" fill="url(#${id}-finder)" opacity=".12"/>` +
  place(46, 56, blurred(28, '<circle cy="30" r="280" fill="#000"/>', 0.6)) +
  place(0, 28, lens(`${id}-lens`), 0.92)
