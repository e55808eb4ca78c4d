import { across, blurred, clipped, glow, linear, place, radial, times } from '../shapes'

const outer = 'M-270 0V540C-270 612 -150 640 0 640C150 640 270 612 270 540V0Z'
const inner = 'M-246 150V520C-246 584 -140 606 0 606C140 606 246 584 246 520V150Z'

const flame =
  linear('flame', [
    [0, '#fff3c4'],
    [0.45, '#ffd25a'],
    [0.78, '#ff9a2e'],
    [1, '#4a6cff', 0.75],
  ]) +
  glow('halo', 0, -110, 520, '#ffb14a', 0.5, 'screen') +
  glow('heart', 0, -110, 220, '#ffe6a0', 0.75, 'screen') +
  blurred(
    9,
    '<path d="M0 -250C52 -150 62 -90 44 -44C30 -12 -30 -12 -44 -44C-62 -90 -40 -150 0 -250Z" fill="#ffb347"/>',
    0.9,
  ) +
  blurred(
    2,
    '<path d="M0 -236C44 -140 52 -88 36 -46C24 -18 -24 -18 -36 -46C-52 -88 -36 -140 0 -236Z" fill="url(#flame)"/>',
  ) +
  blurred(5, '<path d="M0 -176C22 -120 26 -84 16 -54C8 -40 -8 -40 -16 -54C-26 -84 -16 -130 0 -176Z" fill="#fffdf0"/>')
const wick =
  '<path d="M0 26C-2 0 4 -22 0 -44" fill="none" stroke="#2b1408" stroke-width="10" stroke-linecap="round"/><circle cy="-44" r="7" fill="#ff8a3c"/>'

/** A tumbler of fluted amber glass with burning wax, 540 wide; the origin is the middle of the rim. */
export const candle = (id: string): string => {
  const flutes = times(19, (index) => {
    const x = Math.sin(((index - 9) / 9.4) * 1.5) * 268
    const next = Math.sin(((index - 8) / 9.4) * 1.5) * 268
    return `<path d="M${x.toFixed(1)} 0V640H${((x + next) / 2).toFixed(1)}V0Z" fill="#fff" opacity=".1"/><path d="M${x.toFixed(1)} 0V640" stroke="#3b1402" stroke-width="5" opacity=".36"/>`
  })
  return (
    across(`${id}-glass`, [
      [0, '#42190a'],
      [0.1, '#8a3f14'],
      [0.34, '#c46f28'],
      [0.6, '#a85a1e'],
      [0.92, '#4c1d0a'],
      [1, '#7d3a14'],
    ]) +
    radial(
      `${id}-wax`,
      [
        [0, '#fff0c8'],
        [0.22, '#ffd590'],
        [0.5, '#eda55a'],
        [0.85, '#b0662c'],
        [1, '#8a4a1e'],
      ],
      0.5,
      0.02,
      0.95,
    ) +
    linear(
      `${id}-lip`,
      [
        [0, '#e0a060'],
        [0.4, '#fff0d4'],
        [1, '#a35a22'],
      ],
      0,
      0,
      1,
      0.1,
    ) +
    radial(
      `${id}-pool`,
      [
        [0, '#fffbe6'],
        [0.4, '#ffe2a0'],
        [1, '#f0a850'],
      ],
      0.5,
      0.5,
      0.5,
    ) +
    `<ellipse rx="270" ry="62" fill="#5a240c"/>` +
    clipped(`${id}-back`, '<ellipse rx="264" ry="58"/>', glow(`${id}-backglow`, 0, 40, 300, '#ffb45a', 0.8)) +
    `<path d="${outer}" fill="url(#${id}-glass)" opacity=".78"/>` +
    clipped(
      `${id}-vessel`,
      `<path d="${outer}"/>`,
      `<path d="${inner}" fill="url(#${id}-wax)" opacity=".92"/><ellipse cy="150" rx="246" ry="52" fill="url(#${id}-pool)"/><ellipse cy="150" rx="246" ry="52" fill="none" stroke="#fff3cf" stroke-width="4" opacity=".8"/>` +
        place(0, 132, wick) +
        blurred(28, '<ellipse cy="170" rx="230" ry="60" fill="#fff0c0"/>', 0.6, 'screen') +
        flutes +
        blurred(16, '<path d="M-226 40V560M214 60V540" stroke="#fff" stroke-width="14"/>', 0.35) +
        blurred(5, '<path d="M-212 60V470" stroke="#fff" stroke-width="11" stroke-linecap="round"/>', 0.7) +
        blurred(28, '<path d="M-280 590Q0 690 280 590V680H-280Z" fill="#1c0701"/>', 0.75),
    ) +
    `<path d="M-270 0A270 62 0 0 0 270 0" fill="none" stroke="url(#${id}-lip)" stroke-width="10"/><path d="M-270 0A270 62 0 0 1 270 0" fill="none" stroke="#f3b878" stroke-width="5" opacity=".8"/>` +
    place(0, 140, flame, 0.92)
  )
}
