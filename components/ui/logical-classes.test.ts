// Class names and styles name the start and the end of a line and not left and right, so that a page also works in a
// language that is written from right to left.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const CLASS =
  /(?<=^|["'`\s:])-?(?:(?:m|p|scroll-m|scroll-p)[lr]-[\w[]|(?:left|right)-[\w[]|text-(?:left|right)\b|(?:rounded|border)-(?:[lr]|[tb][lr])\b|float-(?:left|right)\b)[^"'`\s]*/g
const STYLE = /(?:(?:margin|padding|border)-(?:left|right)|(?<![\w-])(?:left|right)):[^;]*|text-align: (?:left|right)/g

/** An element in the middle is at the same place in both directions. */
const SAME_IN_BOTH = ['left-1/2']

const physicalNames = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([name]) => name).filter((name) => !SAME_IN_BOTH.includes(name))

it('no component uses the left or the right side', () => {
  const files = ['app', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx$/.test(name))
      .map((name) => path.join(folder, name)),
  )
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) =>
    physicalNames(readFileSync(file, 'utf8'), CLASS).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})

it('no style sheet of ours uses the left or the right side', () => {
  expect(physicalNames(readFileSync('app/globals.css', 'utf8'), STYLE)).toEqual([])
})

it('a class and a style of one side are found', () => {
  expect(physicalNames('className="ps-4 md:pl-4 -ml-2 left-0 left-1/2 text-right"', CLASS)).toEqual([
    'pl-4',
    '-ml-2',
    'left-0',
    'text-right',
  ])
  expect(physicalNames('a { padding-left: 4px; inset-inline: 0; left: 0; }', STYLE)).toEqual([
    'padding-left: 4px',
    'left: 0',
  ])
})
