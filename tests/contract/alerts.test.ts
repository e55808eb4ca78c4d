// The alerts for Prometheus watch metrics that exist, and each has a page that says what to do. Prometheus' own promtool
// checks the expressions; it is not installed everywhere, so this test reads the names only.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Alert = { alert: string; expr: string; for: string; annotations: { summary: string; runbook: string } }
const file = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as { groups: { rules: Alert[] }[] }
const alerts = file.groups.flatMap(({ rules }) => rules)
const sources = ['lib/infra/metrics.ts', 'lib/admin/platform-metrics.ts']
  .map((name) => readFileSync(name, 'utf8'))
  .join()

test('there are at least ten alerts, each with a name of its own', () => {
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  expect(alerts.length).toBeGreaterThanOrEqual(10)
})

test.each(alerts)('$alert watches metrics that /api/metrics has', ({ expr }) => {
  const names = [...expr.matchAll(/\b(?:lastcall|process)_\w+/g)].map(([name]) => name.replace(/^lastcall_/, ''))
  for (const name of names) expect(sources).toMatch(new RegExp(`'(?:lastcall_)?${name}'`))
})

test('every alert has its page, which says when it fires, and every page its alert', () => {
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
