import { cutText, endSentence, toLine } from './text'

describe('toLine', () => {
  test.each([
    ['\u202Eevil \u2066rtl\u2069', 'evil rtl'],
    ['one\r\ntwo\u2028three', 'one two three'],
    ['مرحبا\u200f 12', 'مرحبا\u200f 12'],
    ['👩‍👩‍👧‍👦 family', '👩‍👩‍👧‍👦 family'],
    ['lone \ud800 half', 'lone \ufffd half'],
    ['\u200b\u2060\ufeff', ''],
    ['\u202e \u00a0\u3164', ''],
  ])('turns %j into %j', (text, line) => expect(toLine(text)).toBe(line))
})

describe('cutText', () => {
  it('returns a short text unchanged', () => expect(cutText('𝒳'.repeat(30), 60)).toBe('𝒳'.repeat(30)))

  it('never cuts a letter, emoji or accent in half', () => {
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

test.each([
  ['Someone just bought Mug No. 4.', 'Someone just bought Mug No. 4.'],
  ['run by Lastcall Inc.', 'run by Lastcall Inc.'],
  ['Scan this code to open Ready?', 'Scan this code to open Ready?'],
  ['You sold a mug', 'You sold a mug.'],
])('%s ends as one sentence', (text, sentence) => expect(endSentence(text)).toBe(sentence))
