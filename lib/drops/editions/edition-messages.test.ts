import { editionText, givenText } from './edition-messages'

const edition = { run: 1, numbers: [17], retired: [], total: null }

it.each([
  [edition, 'No. 17'],
  [{ ...edition, total: 62 }, '17 of 62'],
  [{ ...edition, numbers: [17, 18, 19] }, 'No. 17–19'],
  [{ ...edition, numbers: [1_017, 1_018], total: 6_200 }, '1,017–1,018 of 6,200'],
  [{ ...edition, run: 3, total: 62 }, '17 of 62, run 3'],
  [{ ...edition, retired: [17] }, 'No. 17 (retired)'],
  [{ ...edition, numbers: [17, 18, 19], retired: [18, 19], total: 62 }, '17–19 of 62 (18–19 retired)'],
])('shows the numbers of %j as %s', (of, text) => expect(editionText(of)).toBe(text))

it('says which numbers a run has given', () => {
  const text = (given: number, isComplete: boolean) => givenText({ given, isComplete })
  expect(text(0, false)).toBe('No units have sold yet, so no numbers have been assigned.')
  expect(text(0, true)).toBe('No units were sold, so no numbers were assigned.')
  expect(text(1, false)).toBe('No. 1 was assigned. More may follow.')
  expect(text(6_200, true)).toBe("No. 1 to No. 6,200 were assigned. There won't be any more.")
})
