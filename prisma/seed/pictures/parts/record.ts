import { blurred, clipped, fixed, glow, linear, lying, radial, textured, times } from '../shapes'

type Disc = { light: string; mid: string; dark: string; label: string; mark: string }

export const cobalt: Disc = { light: '#7d8dff', mid: '#3142e0', dark: '#131a86', label: '#ffc9a3', mark: '#f0543a' }

/** A wedge of light from the middle of the disc. */
const wedge = (angle: number, spread: number, colour: string, opacity: number): string => {
  const point = (turn: number): string =>
    `${fixed(Math.cos((turn * Math.PI) / 180) * 620)} ${fixed(Math.sin((turn * Math.PI) / 180) * 620)}`
  return `<path d="M0 0L${point(angle - spread)}L${point(angle + spread)}Z" fill="${colour}" opacity="${opacity}"/>`
}

/** A record of radius 500 in coloured, slightly marbled vinyl. */
export const disc = (id: string, { light, mid, dark, label, mark }: Disc): string => {
  const grooves = times(58, (index) => {
    const gap = index === 18 || index === 37
    return `<circle r="${488 - index * 5.4}" fill="none" stroke="${gap ? light : dark}" stroke-width="${gap ? 4 : 1.5 + (index % 4) * 0.5}" opacity="${gap ? 0.6 : 0.28 + (index % 3) * 0.08}"/>`
  })
  const rays = blurred(
    9,
    wedge(-128, 10, '#fff', 0.6) +
      wedge(-112, 5, light, 0.7) +
      wedge(-146, 5, light, 0.6) +
      wedge(52, 11, '#fff', 0.42) +
      wedge(70, 5, light, 0.6) +
      wedge(34, 4, light, 0.5) +
      wedge(-40, 22, dark, 0.6) +
      wedge(140, 24, dark, 0.6),
  )
  return (
    radial(`${id}-vinyl`, [
      [0, mid],
      [0.36, mid],
      [0.8, mid],
      [0.965, dark],
      [0.98, light],
      [1, dark],
    ]) +
    radial(
      `${id}-label`,
      [
        [0, '#fff', 0.5],
        [1, label, 0],
      ],
      0.35,
      0.3,
      0.7,
    ) +
    `<circle r="500" fill="url(#${id}-vinyl)"/>` +
    clipped(
      `${id}-disc`,
      '<circle r="498"/>',
      blurred(
        28,
        `<path d="M-500 -100C-200 -220 -60 120 180 -60S420 -260 520 -120V60C300 -80 200 200 -40 120S-300 20 -500 120Z" fill="${light}"/>`,
        0.5,
      ) +
        grooves +
        rays +
        `<circle r="178" fill="${dark}" opacity=".35"/>`,
    ) +
    `<circle r="168" fill="${label}"/>` +
    clipped(
      `${id}-mid`,
      '<circle r="168"/>',
      `<circle cx="34" cy="30" r="92" fill="${mark}"/><path d="M-180 60Q-60 0 20 60T200 50V200H-180Z" fill="${mid}" style="mix-blend-mode:multiply"/><g stroke="${dark}" stroke-width="4" opacity=".7"><path d="M-118 -60h88M-118 -42h56"/></g>`,
    ) +
    `<circle r="168" fill="url(#${id}-label)"/><circle r="150" fill="none" stroke="#000" stroke-width="1.5" opacity=".2"/><circle r="15" fill="#0c0a1c"/><circle r="17" fill="none" stroke="#fff" stroke-width="2.5" opacity=".6"/>`
  )
}

/** The sleeve's picture, 1000 by 1000: two moons over water. */
const cover = (id: string): string =>
  linear(`${id}-sky`, [
    [0, '#1b1f6b'],
    [0.42, '#5b4bd6'],
    [0.62, '#f58a8a'],
    [0.68, '#ffc39a'],
  ]) +
  linear(`${id}-moon`, [
    [0, '#fff2cf'],
    [1, '#ff9a5c'],
  ]) +
  linear(`${id}-sea`, [
    [0, '#ee6a6e'],
    [0.35, '#4437b8'],
    [1, '#14123f'],
  ]) +
  `<rect width="1000" height="1000" fill="url(#${id}-sky)"/>` +
  clipped(
    `${id}-art`,
    '<rect width="1000" height="1000"/>',
    glow(`${id}-halo`, 500, 440, 420, '#ffd9a8', 0.6) +
      `<circle cx="500" cy="440" r="232" fill="url(#${id}-moon)"/><circle cx="664" cy="322" r="92" fill="#20227a" opacity=".92"/><path d="M600 256a92 92 0 0 0 -8 128a104 104 0 0 1 8 -128Z" fill="#ffb27c"/>` +
      '<path d="M0 690L130 610L236 662L392 560L520 668L676 586L824 668L1000 580V700H0Z" fill="#2b1f78"/><path d="M0 690L160 650L300 684L470 630L640 690L830 640L1000 680V700H0Z" fill="#191350"/>' +
      `<rect y="690" width="1000" height="310" fill="url(#${id}-sea)"/>` +
      times(
        15,
        (index) =>
          `<rect x="${fixed(500 - (220 - index * 9) * (index % 2 ? 0.72 : 1))}" y="${702 + index * 19}" width="${fixed((440 - index * 18) * (index % 2 ? 0.72 : 1))}" height="${fixed(9 - index * 0.3)}" rx="4" fill="#ffd1a0" opacity="${fixed(0.9 - index * 0.05)}"/>`,
      ),
  )

const gloss = (id: string): string =>
  linear(
    `${id}-gloss`,
    [
      [0, '#fff', 0.34],
      [0.4, '#fff', 0.04],
      [0.6, '#fff', 0.12],
      [1, '#000', 0.18],
    ],
    0,
    0,
    1,
    1,
  ) +
  `<rect width="1000" height="1000" fill="url(#${id}-gloss)"/><path d="M2 1000V2H1000" fill="none" stroke="#fff" stroke-width="4" opacity=".5"/>`

export const sleeve = (id: string): string =>
  lying('<rect width="1000" height="1000" fill="#3a0e2a"/>', 50, 62, 1.15) +
  cover(id) +
  textured('card', '<rect width="1000" height="1000" fill="#fff"/>', 0.25) +
  gloss(id)
