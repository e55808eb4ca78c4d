// Lets Node load TypeScript files of the repository without a build, for the helper processes of tests and benchmarks:
//   node --conditions=react-server --import ./tests/support/register-typescript.mjs …
// The condition makes the package `server-only` empty, as it is in the application's server.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import typescript from 'typescript'

const root = new URL('../../', import.meta.url)

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (!/^(@|\.\.?)\//.test(specifier)) return next(specifier, context)
  const url = specifier.startsWith('@/') ? new URL(specifier.slice(2), root) : new URL(specifier, context.parentURL)
  const file = new URL(`${url.href}.ts`)
  return next(existsSync(fileURLToPath(file)) ? file.href : url.href, context)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const source = await readFile(new URL(url), 'utf8')
  const { ModuleKind, ScriptTarget } = typescript
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 }
  const { outputText } = typescript.transpileModule(source, { compilerOptions, fileName: fileURLToPath(url) })
  return { format: 'module', source: outputText, shortCircuit: true }
}
