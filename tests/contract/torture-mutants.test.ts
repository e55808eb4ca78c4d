import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runNode } from '../support/run-node'

// The mutants of the torture test (tests/torture/README.md) are patches that break the product on purpose. A patch that
// no longer applies proves nothing, so this test checks that each one could be applied.
const folder = path.join('tests', 'torture', 'mutants')
const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'))

it('there are at least ten mutants', () => expect(patches.length).toBeGreaterThanOrEqual(10))

it.each(patches)('%s can be applied to the product', (name) => {
  execFileSync('git', ['apply', '--check', path.join(folder, name)], { stdio: 'pipe' })
})

it('the folder with the copy is removed when the process is interrupted', async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'lastcall-interrupted-'))
  const code = `import { makeScratchFolder } from './tests/support/make-scratch-folder.ts'
    import { writeFileSync } from 'node:fs'
    const { folder } = makeScratchFolder('lastcall-mutants-')
    writeFileSync(folder + '/file', '')
    console.log(folder)
    process.once('SIGTERM', () => process.exit(130))
    process.kill(process.pid, 'SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 60_000))`
  const words = ['--import', './tests/support/register-typescript.mjs', '--input-type=module', '-e', code]
  const { code: exitCode, stdout } = await runNode(words, { TMPDIR: parent })
  expect([exitCode, path.dirname(stdout.trim())]).toEqual([130, parent])
  expect(readdirSync(parent)).toEqual([])
  rmSync(parent, { recursive: true })
})

it('every variable that the torture test prints as a setting is one that it reads', () => {
  const source = readFileSync(path.join('tests', 'torture', 'torture.ts'), 'utf8')
  const printed = [...source.matchAll(/`([A-Z_]+)=\$\{/g)].map(([, name = '']) => name)
  const read = [...source.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name = '']) => name)
  expect(printed).not.toEqual([])
  expect(read).toEqual(expect.arrayContaining(printed))
})
