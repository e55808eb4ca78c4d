import { blurred, clipped, fixed, glow, linear, place, times } from '../shapes'

export type Grade = {
  id: string
  sky: readonly [string, string, string]
  sun: string
  far: string
  mid: string
  near: string
  sea: readonly [string, string]
}

const grades: readonly Grade[] = [
  {
    id: 'ember',
    sky: ['#3c1a4a', '#d94f4a', '#ffc27a'],
    sun: '#fff0c4',
    far: '#a83a55',
    mid: '#6b2348',
    near: '#2a0f2c',
    sea: ['#f58a5c', '#5a1c46'],
  },
  {
    id: 'tide',
    sky: ['#0e3a5c', '#3f9aa8', '#f4e2b8'],
    sun: '#fffbe6',
    far: '#4f8f9a',
    mid: '#23606f',
    near: '#0b2c3f',
    sea: ['#9fd2c6', '#124a5e'],
  },
  {
    id: 'haze',
    sky: ['#8f7fc0', '#e8a8c4', '#ffe3cf'],
    sun: '#ffffff',
    far: '#c48fb8',
    mid: '#8f64a0',
    near: '#4a3272',
    sea: ['#f9cdd0', '#8a6ab0'],
  },
  {
    id: 'field',
    sky: ['#4f7a4a', '#b8c46a', '#fff0b0'],
    sun: '#fffde0',
    far: '#8aa04c',
    mid: '#567a34',
    near: '#24451f',
    sea: ['#e3d97a', '#4a7038'],
  },
  {
    id: 'silver',
    sky: ['#2a2a30', '#85858c', '#e6e2dc'],
    sun: '#ffffff',
    far: '#77777c',
    mid: '#47474d',
    near: '#1a1a1f',
    sea: ['#c9c6c2', '#3a3a40'],
  },
  {
    id: 'neon',
    sky: ['#12103f', '#7a2bd0', '#ff5fa8'],
    sun: '#ffe27a',
    far: '#5a1fae',
    mid: '#3a127c',
    near: '#14073f',
    sea: ['#ff7ab0', '#2a1580'],
  },
]
export const grade = (index: number): Grade => grades[index % grades.length] as Grade

/** The same bay, 1200 by 800, in whatever grade is asked for. */
export const bay = (copy: string, { id, sky, sun, far, mid, near, sea }: Grade): string => {
  const key = `${copy}-${id}`
  return clipped(
    `${key}-frame`,
    '<rect width="1200" height="800"/>',
    linear(`${key}-sky`, [
      [0, sky[0]],
      [0.55, sky[1]],
      [1, sky[2]],
    ]) +
      linear(`${key}-sea`, [
        [0, sea[0]],
        [1, sea[1]],
      ]) +
      linear(`${key}-far`, [
        [0, far],
        [1, sky[2]],
      ]) +
      linear(`${key}-mid`, [
        [0, mid],
        [1, far],
      ]) +
      `<rect width="1200" height="800" fill="url(#${key}-sky)"/>` +
      glow(`${key}-halo`, 760, 400, 420, sun, 0.7) +
      `<circle cx="760" cy="400" r="92" fill="${sun}"/>` +
      blurred(16, `<path d="M-40 170Q260 120 520 180T1240 120V160Q900 200 560 214T-40 220Z" fill="${sun}"/>`, 0.28) +
      `<path d="M-10 500L120 410L220 450L380 320L520 440L640 400L800 480L960 380L1210 500V620H-10Z" fill="url(#${key}-far)"/><path d="M-10 540L150 470L320 390L470 500L600 540H-10ZM700 545L860 480L1010 420L1210 500V560H700Z" fill="url(#${key}-mid)"/>` +
      `<rect y="540" width="1200" height="260" fill="url(#${key}-sea)"/>` +
      `<g fill="${sun}">${times(14, (index) => `<rect x="${fixed(760 - 120 + index * 5 + (index % 3) * 22)}" y="${552 + index * 14}" width="${fixed(240 - index * 11 - (index % 3) * 30)}" height="5" rx="2.5" opacity="${fixed(0.9 - index * 0.05)}"/>`)}</g>` +
      `<path d="M-10 800V560C60 540 120 560 170 610C240 640 320 640 380 720C420 760 470 780 500 810Z" fill="${near}"/><path d="M110 590C104 480 112 400 108 300M108 340C60 300 40 300 14 320M108 320C140 270 180 270 206 292M108 306C84 250 60 236 26 236M108 300C120 250 150 226 190 226" fill="none" stroke="${near}" stroke-width="13" stroke-linecap="round"/>`,
  )
}

/** A strip of film `count` frames long, 1000 wide, running downwards; it glows where the light comes through. */
export const strip = (copy: string, count: number, first: number): string => {
  const height = count * 700
  const holes = times(count * 7, (index) =>
    [34, 906]
      .map(
        (x) => `<rect x="${x}" y="${22 + index * 100}" width="60" height="56" rx="14" fill="#fff3dc" opacity=".92"/>`,
      )
      .join(''),
  )
  return (
    linear(
      `${copy}-base`,
      [
        [0, '#3a2016'],
        [0.3, '#5a3320'],
        [0.55, '#2c160e'],
        [1, '#4a2818'],
      ],
      0,
      0,
      1,
      0.3,
    ) +
    `<rect width="1000" height="${height}" fill="url(#${copy}-base)"/>` +
    holes +
    times(count, (index) =>
      place(
        122,
        44 + index * 700,
        `<rect x="-8" y="-8" width="772" height="628" rx="14" fill="#120805"/>` +
          clipped(
            `${copy}-hole${index}`,
            '<rect width="756" height="612" rx="10"/>',
            place(-80, 0, bay(`${copy}${index}`, grade(first + index)), 0.765),
          ) +
          '<rect width="756" height="612" rx="10" fill="none" stroke="#fff" stroke-width="3" opacity=".25"/>',
      ),
    ) +
    linear(
      `${copy}-gloss`,
      [
        [0, '#fff', 0.4],
        [0.14, '#fff', 0.02],
        [0.5, '#fff', 0.14],
        [0.58, '#fff', 0],
        [1, '#000', 0.3],
      ],
      0,
      0,
      1,
      0,
    ) +
    `<rect width="1000" height="${height}" fill="url(#${copy}-gloss)"/>`
  )
}
