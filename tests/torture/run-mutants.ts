import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { makeCleanClone } from '../support/built-copy'
import { makeScratchFolder } from '../support/make-scratch-folder'

const MUTANTS = path.join('tests', 'torture', 'mutants')

type MutantOptions = {
  /** The names of the mutants to run. An empty list means all. */
  names: string[]
  seconds: number
  slow: number
  seed: number | undefined
}

const DEFAULT_SEED = 14

/**
 * Applies the defects one by one to a copy of the product, runs a storm on the copy, and expects the checker to
 * find the defect. The working tree does not change.
 * @returns whether the checker found every defect.
 */
export async function runMutants({ names, seconds, slow, seed = DEFAULT_SEED }: MutantOptions): Promise<boolean> {
  const known = readdirSync(MUTANTS)
    .filter((name) => name.endsWith('.patch'))
    .map((name) => name.slice(0, -'.patch'.length))
    .sort()
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`No mutant is called ${unknown.join(', ')}. Choose from: ${known.join(', ')}.`)
  const patches = known.filter((name) => names.length === 0 || names.includes(name))
  const { folder, remove } = makeScratchFolder('lastcall-mutants-')
  const clone = path.join(folder, 'clone')
  let missed = 0
  try {
    mkdirSync(clone)
    makeCleanClone(clone)
    // With the build cache, each mutant rebuilds only the files that its patch changes.
    if (existsSync('.next')) cpSync('.next', path.join(clone, '.next'), { recursive: true })
    for (const name of patches) {
      const patch = path.resolve(MUTANTS, `${name}.patch`)
      execFileSync('git', ['apply', patch], { cwd: clone })
      const startedAt = Date.now()
      const output = await tortureIn(clone, { seed, seconds, slow })
      execFileSync('git', ['apply', '--reverse', patch], { cwd: clone })
      const checks = [...output.matchAll(/^ {2}✗ (.+)$/gm)].map(([, check = '']) => check)
      const took = `${Math.round((Date.now() - startedAt) / 1_000)} s, seed ${seed}`
      if (checks.length > 0) console.log(`✓ ${name}: found by ${checks.join(', ')} (${took})`)
      else {
        missed += 1
        console.log(`✗ ${name}: not found (${took})\n${output.slice(-2_000)}`)
      }
    }
  } finally {
    remove()
  }
  console.log(`${patches.length - missed} of ${patches.length} mutants were found.`)
  return missed === 0
}

/**
 * Runs a storm in a copy of the project, and returns its output. Starting the application builds the copy first.
 */
function tortureIn(clone: string, options: { seed: number; seconds: number; slow: number }): Promise<string> {
  const words = [
    '--conditions=react-server',
    '--import',
    './tests/support/register-typescript.mjs',
    'tests/torture/torture.ts',
  ]
  const child = spawn(
    process.execPath,
    [...words, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)],
    {
      cwd: clone,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  // If this process is interrupted, it must also end the storm in the copy, before the copy is removed.
  const end = () => void child.kill('SIGTERM')
  process.prependOnceListener('exit', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) =>
    child.once('close', () => {
      process.off('exit', end)
      resolve(output)
    }),
  )
}
