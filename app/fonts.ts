import localFont from 'next/font/local'

/**
 * Display: an expressive grotesque, in the one weight its headings have: the variable file is twice as heavy, and a phone
 * fetches it before the first picture. Text: plain, with tabular figures. Two families, from our own origin.
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
