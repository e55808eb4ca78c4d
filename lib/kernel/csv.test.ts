import { parseCsv, toCsv } from './csv'

test('toCsv() quotes cells where needed and ends every row as RFC 4180 requires', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['plain', 'with "quotes", commas\nand lines'],
        [3, null],
      ],
    ),
  ).toBe('a,b\r\nplain,"with ""quotes"", commas\nand lines"\r\n3,\r\n')
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠sum'])(
  'an apostrophe is written before %j, so that no spreadsheet runs it as a formula',
  (text) => {
    expect(toCsv(['a'], [[text]])).toContain(`'${text}`)
  },
)

test('numbers are written without an apostrophe', () => expect(toCsv(['a'], [[-1]])).toBe('a\r\n-1\r\n'))

test('parseCsv() reads files as spreadsheets write them', () => {
  const text = '\uFEFForder;carrier;"tracking ""number"""\r\nord_1; DHL ;"a;b"\n\n;;\r"two\nlines";x;\'=1+1'
  expect(parseCsv(text)).toEqual([
    { line: 1, cells: ['order', 'carrier', 'tracking "number"'] },
    { line: 2, cells: ['ord_1', 'DHL', 'a;b'] },
    { line: 5, cells: ['two\nlines', 'x', '=1+1'] },
  ])
  expect(parseCsv('')).toEqual([])
})

test('parseCsv() reports a quotation mark that is never closed', () => {
  expect(parseCsv('a,b\n1,2\n3,"4\n5,6\n')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', '2'] },
    { line: 3, cells: ['3', '4\n5,6'], isUnclosed: true },
  ])
})

test('parseCsv() reads no more rows, cells and characters than the caller wants', () => {
  const most = { rows: 2, cells: 2, characters: 4 }
  const whole = [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['long', '2'] },
  ]
  expect(parseCsv('a,b,c\nlonger,2,3\n', most)).toEqual(whole)
  expect(parseCsv('a,b,c\nlonger,2,3', most)).toEqual(whole)
  const cut = [whole[0], { ...whole[1], isCut: true }]
  expect(parseCsv(`a,b,c\nlonger,2,3\n${'x,y\n'.repeat(1_000)}`, most)).toEqual(cut)
  // Empty rows count, although they are not returned.
  expect(parseCsv('a,b,c\n\nlonger,2,3\n', most)).toEqual([{ ...whole[0], isCut: true }])
})

test('parseCsv() returns the rows that toCsv() has written, even with formulas, quotation marks and line breaks', () => {
  const rows = [
    ['+44 20', '=cmd|x', 'a,"b"'],
    ['-1', 'line\r\nbreak', "it's"],
    ['Lane; +1 bell', 'two lines\n-1', 'a;"=b"'],
  ]
  expect(parseCsv(toCsv(['a', 'b', 'c'], rows)).map(({ cells }) => cells)).toEqual([['a', 'b', 'c'], ...rows])
})

test.each([
  ['x;=HYPERLINK("https://evil.example")', `x;'=HYPERLINK`],
  ['Long Lane; +1 door', "Long Lane; '+1 door"],
  ['a\t@b', "a\t'@b"],
  ['\t=1', "'\t'=1"],
  ['Unit 4\n=1+1', "Unit 4\n'=1+1"],
  ['Unit 4\r\n\r\n@sum', "Unit 4\r\n\r\n'@sum"],
  ['x;"=1+1"', `x;""'=1+1`],
])('in %j, an apostrophe is written after a separator of other spreadsheets too', (cell, start) =>
  expect(
    toCsv(['name'], [[cell]])
      .replace('name\r\n', '')
      .replace(/^"/, ''),
  ).toMatch(new RegExp(`^${start.replace(/[+()]/g, '\\$&')}`)),
)

test('a cell of only separators and spaces takes no time', () => {
  const began = performance.now()
  toCsv(['a'], [['\n'.repeat(300_000) + ';' + '" '.repeat(300_000)]])
  expect(performance.now() - began).toBeLessThan(2_000)
})
