import localFont from 'next/font/local'

/**
 * The fonts, served from our own origin. The display font has only the one weight that headings use: a phone
 * fetches the font before the first picture, and the variable file is twice as large. The text font has tabular figures.
 */
export const bricolage = localFont({
  src: '../node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2',
  variable: '--font-bricolage',
  weight: '400 800',
  display: 'swap',
})

export const geist = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist',
  weight: '100 900',
  display: 'swap',
})
