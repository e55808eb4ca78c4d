import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

// Every JavaScript file of the repository is type-checked as strictly as the TypeScript files (`npm run typecheck`).
const FOLDERS = ['app', 'bench', 'components', 'docs', 'lib', 'prisma', 'public', 'scripts', 'tests']
// Another contract test creates such files while it runs.
const isPlanted = (name: string) => name.includes('planted-violation')
const isJavaScript = (name: string) => /\.[cm]?jsx?$/.test(name) && !isPlanted(name)

const files = [
  ...readdirSync('.').filter(isJavaScript),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(isJavaScript)
      .map((name) => path.join(folder, name)),
  ),
]

function readProject(file: string) {
  const { config } = ts.readConfigFile(file, ts.sys.readFile) as { config: unknown }
  return ts.parseJsonConfigFileContent(config, ts.sys, process.cwd())
}

const projects = ['tsconfig.json', 'tsconfig.worker.json'].map(readProject)

test('both TypeScript projects check JavaScript in strict mode', () => {
  for (const { options, errors } of projects) {
    expect(errors).toEqual([])
    expect(options).toMatchObject({ checkJs: true, strict: true, noUncheckedIndexedAccess: true })
  }
})

test('every JavaScript file belongs to one of the two TypeScript projects', () => {
  const checked = new Set(projects.flatMap(({ fileNames }) => fileNames.map((name) => path.relative('.', name))))
  expect(files.length).toBeGreaterThan(70)
  expect(files.filter((file) => !checked.has(file))).toEqual([])
})

test('no JavaScript file switches the type checker off or uses any', () => {
  const silencers = /@ts-(?:nocheck|ignore|expect-error)|@(?:type|param|returns|typedef)[^\n]*[{<|\s([]any\b[^\n]*\}/
  expect('// @ts-nocheck').toMatch(silencers)
  expect('/** @type {any} */').toMatch(silencers)
  expect('@returns {Promise<any>}').toMatch(silencers)
  expect(files.filter((file) => silencers.test(readFileSync(file, 'utf8')))).toEqual([])
})
