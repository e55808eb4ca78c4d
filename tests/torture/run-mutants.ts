import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeCleanClone } from '../support/built-copy'

const MUTANTS = path.join('tests', 'torture', 'mutants')

type MutantOptions = {
  /** Only these; all when empty. */
  names: string[]
  seconds: number
  seed: number | undefined
}

const DEFAULT_SEED = 14

/**
 * Breaks a copy of the product in one way after the other, runs the storm on it, and expects the checker to find the defect.
 * The working tree is not touched.
 * @returns whether every mutant was found.
 */
export async function runMutants({ names, seconds, seed = DEFAULT_SEED }: MutantOptions): Promise<boolean> {
  const patches = readdirSync(MUTANTS)
    .filter((name) => name.endsWith('.patch'))
    .map((name) => name.slice(0, -'.patch'.length))
    .filter((name) => names.length === 0 || names.includes(name))
    .sort()
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-mutants-'))
  const clone = path.join(folder, 'clone')
  let missed = 0
  try {
    mkdirSync(clone)
    makeCleanClone(clone)
    // The cache of the build, so that each mutant builds only what its patch has changed.
    if (existsSync('.next')) cpSync('.next', path.join(clone, '.next'), { recursive: true })
    for (const name of patches) {
      const patch = path.resolve(MUTANTS, `${name}.patch`)
      execFileSync('git', ['apply', patch], { cwd: clone })
      const startedAt = Date.now()
      const output = await tortureIn(clone, seed, seconds)
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
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  console.log(`${patches.length - missed} of ${patches.length} mutants were found.`)
  return missed === 0
}

/** Runs the storm of a copy of the project; its first start builds it. */
function tortureIn(clone: string, seed: number, seconds: number): Promise<string> {
  const words = [
    '--conditions=react-server',
    '--import',
    './tests/support/register-typescript.mjs',
    'tests/torture/torture.ts',
  ]
  const child = spawn(process.execPath, [...words, '--seed', String(seed), '--seconds', String(seconds)], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // An interrupted run must not leave the storm of the copy behind.
  const end = () => void child.kill('SIGTERM')
  process.once('exit', end)
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
