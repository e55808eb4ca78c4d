import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs axe's rules for WCAG 2.2 AA and its best practices on a page. Axe is loaded once per page and runs without the
 * builder of @axe-core/playwright, which opens a second page for each run and takes three times as long.
 * @param options options of axe in addition to ours: rules to turn on or off, or the only rules to run
 * @returns each violated rule with the elements that violate it
 */
export async function findViolations(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  // Axe cannot run in the iframe that shows an email, because that iframe runs no scripts.
  const isLoaded = await page.evaluate(() => 'axe' in window)
  if (!isLoaded) await page.evaluate(source)
  const violations = await page.evaluate(
    async (chosen) => {
      const { run } = Reflect.get(window, 'axe') as typeof axe
      return (await run({ exclude: [['iframe']] }, chosen)).violations
    },
    {
      ...options,
      resultTypes: ['violations' as const],
      // Axe leaves this rule out by default. Where `runOnly` chooses the rules, the list does not have it.
      ...(options.runOnly ? {} : { rules: { ...options.rules, 'target-size': { enabled: true } } }),
    },
  )
  return violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' | ')}`)
}
