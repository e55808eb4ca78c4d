import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'

const text = readFileSync('.env.example', 'utf8')
const example = parseEnv(text) as Record<string, string>

/** Returns the names of the variables that the rules read in these environments. */
function namesReadBy(...environments: Record<string, string>[]): string[] {
  const names = new Set<string>()
  for (const environment of environments) {
    readEnvironment(
      new Proxy(environment, {
        get: (target, name) => {
          names.add(String(name))
          return target[String(name)]
        },
      }),
    )
  }
  return [...names].sort()
}

it('.env.example has every variable that the environment rules read, and no other', () => {
  // Some variables are read only when APP_URL is public.
  const known = namesReadBy({}, { APP_URL: 'https://drops.example' })
  expect(known.length).toBeGreaterThan(20)
  expect(Object.keys(example).sort()).toEqual(known)
})

it('the values in .env.example equal the defaults, so that a copy of the file changes nothing', () => {
  expect(readEnvironment(example)).toEqual(readEnvironment({}))
})

it('the line above each variable explains it, and names the default if the variable has no value', () => {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    if (!name) continue
    const explanation = lines[index - 1] ?? ''
    expect([name, explanation]).toEqual([name, expect.stringMatching(/^# .+\.$/)])
    if (!value) expect([name, explanation]).toEqual([name, expect.stringContaining('Default: ')])
  }
})
