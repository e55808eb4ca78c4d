import localFont from 'next/font/local'

/**
 * The fonts are served from our own origin. Each is split in two: a small file with the English letters, which every
 * page preloads (lib/artwork/subset-fonts.mjs), and the whole font, which is fetched only when a page has a letter that
 * the small file lacks. Browsers try the fonts in the order of `--font-display` and `--font-sans` in globals.css.
 * Fallbacks of the same width come after both: Next makes that of the text font, and globals.css has that of the
 * display font. The small fonts must not have one of their own, because a fallback has every letter and the whole fonts
 * would never be used. The files of the display font have only the weight 800, which headings use. The text font has
 * tabular digits.
 */
export const bricolage = localFont({
  src: '../public/fonts/bricolage-grotesque-basic.woff2',
  variable: '--font-bricolage',
  weight: '400 800',
  display: 'swap',
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value: 'U+20-7E, U+A0, U+A9, U+B7, U+D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026, U+20AC',
    },
  ],
})

export const bricolageWhole = localFont({
  src: '../node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2',
  variable: '--font-bricolage-whole',
  weight: '400 800',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    { prop: 'unicode-range', value: 'U+A0-FF, U+131, U+152-153, U+2BB-2DC, U+2000-206F, U+2122-2215, U+FFFD' },
  ],
})

export const geist = localFont({
  src: '../public/fonts/geist-basic.woff2',
  variable: '--font-geist',
  weight: '400 800',
  display: 'swap',
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value: 'U+20-7E, U+A0, U+A9, U+B7, U+D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026, U+20AC',
    },
  ],
})

export const geistWhole = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist-whole',
  weight: '100 900',
  display: 'swap',
  preload: false,
  declarations: [
    { prop: 'unicode-range', value: 'U+A0-FF, U+131, U+152-153, U+2BB-2DC, U+2000-206F, U+2122-2215, U+FFFD' },
  ],
})
