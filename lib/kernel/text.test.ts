import { cutText, toLine } from './text'

describe('toLine', () => {
  test.each([
    ['\u202Eevil \u2066rtl\u2069', 'evil rtl'],
    ['one\r\ntwo\u2028three', 'one two three'],
    ['مرحبا\u200f 12', 'مرحبا\u200f 12'],
    ['👩‍👩‍👧‍👦 family', '👩‍👩‍👧‍👦 family'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['\u200b\u2060\ufeff', ''],
    ['\u202e \u00a0\u3164', ''],
  ])('%j', (text, line) => expect(toLine(text)).toBe(line))
})

describe('cutText', () => {
  it('leaves a short text unchanged', () => expect(cutText('𝒳'.repeat(30), 60)).toBe('𝒳'.repeat(30)))

  it('never leaves half a letter, emoji or accent', () => {
    for (const text of ['𝒳'.repeat(60), `a${'𝒳'.repeat(60)}`, '👩‍👩‍👧‍👦'.repeat(9), 'e\u0301'.repeat(50), '🇩🇪'.repeat(20)]) {
      const cut = cutText(text, 60)
      expect(cut.length).toBeLessThanOrEqual(60)
      expect(cut).not.toMatch(/[\ud800-\udfff]/u)
      expect(text.startsWith(cut.slice(0, -1))).toBe(true)
    }
    expect(cutText('👩‍👩‍👧‍👦'.repeat(9), 60)).toBe(`${'👩‍👩‍👧‍👦'.repeat(5)}…`)
    expect(cutText('word '.repeat(20), 11)).toBe('word word…')
  })
})
