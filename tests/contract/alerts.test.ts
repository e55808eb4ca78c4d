// Checks that the Prometheus alerts use metrics that exist, and that each alert has a page that says what to do. Only
// promtool could check the expressions themselves. It is not installed everywhere, so this test reads the names only.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Alert = { alert: string; expr: string; for: string; annotations: { summary: string; runbook: string } }
const file = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as { groups: { rules: Alert[] }[] }
const alerts = file.groups.flatMap(({ rules }) => rules)
const sources = ['lib/infra/metrics.ts', 'lib/admin/platform-metrics.ts']
  .map((name) => readFileSync(name, 'utf8'))
  .join()

test('there are at least ten alerts, and each has a different name', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  expect(alerts.length).toBeGreaterThanOrEqual(10)
})

test.each(alerts)('$alert uses only metrics that /api/metrics reports', ({ expr }) => {
  const names = [...expr.matchAll(/\b(?:lastcall|process)_\w+/g)].map(([name]) => name.replace(/^lastcall_/, ''))
  for (const name of names) expect(sources).toMatch(new RegExp(`'(?:lastcall_)?${name}'`))
})

test('every alert has a runbook page with its expression, and every page belongs to an alert', () => {
  const pages = alerts.map(({ annotations }) => annotations.runbook)
  for (const { alert, expr, annotations } of alerts) {
    const page = readFileSync(annotations.runbook, 'utf8')
    expect(page.startsWith(`# ${alert}\n`)).toBe(true)
    expect(page).toContain(`\`${expr}\``)
    for (const part of ['**What people notice.**', '**What to do.**', '**What heals by itself.**'])
      expect(page).toContain(part)
  }
  expect(
    readdirSync('docs/runbooks')
      .map((name) => `docs/runbooks/${name}`)
      .sort(),
  ).toEqual(pages.sort())
})
