import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'

// A test run has no container engine, cluster or hosting account, so this test reads the hosting files and checks rules
// for them. tests/integration/server/built-copy.test.ts runs the commands that they start.

type Fields = Record<string, unknown>

/** Reads the documents of a YAML file and expects no errors or warnings, such as a duplicate key. */
function readYaml(file: string): Fields[] {
  return parseAllDocuments(readFileSync(file, 'utf8'), { merge: true }).map((document) => {
    expect([file, document.errors, document.warnings]).toEqual([file, [], []])
    return document.toJS() as Fields
  })
}

/** Returns the values of all fields with this name, at any depth. */
function findAll(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...findAll(inner, name)])
}

const packageFile = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** The programs of the copy in the image (scripts/pack-standalone.mjs). */
const inCopy = /^(?:scripts\/serve|prisma\/migrate)\.mjs$/

describe('Dockerfile', () => {
  const text = readFileSync('Dockerfile', 'utf8')
  const instructions = text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => /^([A-Z]+) (.+)$/.exec(line) ?? [line, 'NOT AN INSTRUCTION', line])
    .map(([, name = '', rest = '']) => ({ name, rest }))
  const froms = instructions.flatMap(({ name, rest }, at) => (name === 'FROM' ? [{ at, rest }] : []))
  const last = instructions.slice(froms.at(-1)?.at)

  it('uses known instructions only, begins with a slim Node image, and refers only to stages that exist', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD']
    expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([])
    const stages = froms
      .map(({ rest }) => /^(\S+) AS (\S+)$/.exec(rest))
      .map((match) => ({ of: match?.[1], name: match?.[2] }))
    expect(stages.map(({ name }) => name)).toEqual(['packages', 'build', 'application'])
    for (const { of } of stages)
      expect([of, /^node:\d+-\w+-slim$/.test(of ?? '') || of === 'packages']).toEqual([of, true])
    for (const [, stage] of text.matchAll(/--from=(\S+)/g)) expect(stages.map(({ name }) => name)).toContain(stage)
  })

  it('uses a Node version that the project supports', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
    const [, least] = /(\d+)/.exec(engines.node) ?? []
    for (const [, major] of text.matchAll(/node:(\d+)/g)) expect(Number(major)).toBeGreaterThanOrEqual(Number(least))
  })

  it('installs packages before it copies the sources, so that a changed source does not cause a new installation', () => {
    const install = instructions.findIndex(({ rest }) => rest.startsWith('npm install'))
    const sources = instructions.findIndex(({ name, rest }) => name === 'COPY' && rest === '. .')
    expect(install).toBeGreaterThan(0)
    expect(sources).toBeGreaterThan(install)
    expect(instructions[install - 1]?.rest).toContain('package-lock.json')
  })

  it('ends in a stage that copies only the built copy, and neither installs nor builds', () => {
    const copies = last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest)
    expect(copies).toEqual(['--from=build /app/.next/standalone ./'])
    expect(last.filter(({ rest }) => /\bnpm\b|\bnext build\b|curl|apt/.test(rest))).toEqual([])
  })

  it('runs as a user other than root, starts in exec form and has a health check', () => {
    expect(last.find(({ name }) => name === 'USER')?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    const command = JSON.parse(last.find(({ name }) => name === 'CMD')?.rest ?? '') as string[]
    expect(command[0]).toBe('node')
    expect(command[1]).toMatch(inCopy)
    const health = last.find(({ name }) => name === 'HEALTHCHECK')?.rest ?? ''
    expect(JSON.parse(health.slice(health.indexOf('['))) as string[]).toEqual([
      'node',
      '-e',
      expect.stringContaining('/api/health'),
    ])
    expect(last.findIndex(({ name }) => name === 'USER')).toBeLessThan(last.findIndex(({ name }) => name === 'CMD'))
  })

  it('sets only the expected variables, to valid values', () => {
    const set = last.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(' '))
    const values = Object.fromEntries(set.map((one) => one.split('=') as [string, string]))
    expect(Object.keys(values).sort()).toEqual(['DATA_DIR', 'HOST', 'MALLOC_ARENA_MAX', 'NODE_ENV', 'PORT'])
    expect(readEnvironment(values).problems).toEqual([])
  })

  it('excludes secrets, the git history and generated folders by .dockerignore, but not the sources', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    for (const name of ['.git', '.env', '.env.*', '.data', '.next', 'node_modules']) expect(ignored).toContain(name)
    for (const name of ['app', 'components', 'lib', 'prisma', 'public', 'scripts']) expect(ignored).not.toContain(name)
  })
})

describe('compose.yaml', () => {
  const [compose = {}] = readYaml('compose.yaml')
  const services = compose.services as Record<string, Fields>

  it('has the database, the migrations, the application and the proxy, in that order', () => {
    expect(Object.keys(services)).toEqual(['database', 'migrate', 'application', 'proxy'])
    expect(services.migrate?.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    expect(services.application?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } })
    expect(services.proxy?.depends_on).toEqual({ application: { condition: 'service_healthy' } })
  })

  it('publishes the ports of the proxy only', () => {
    expect(Object.entries(services).flatMap(([name, { ports }]) => (ports ? [name] : []))).toEqual(['proxy'])
  })

  it('runs the application and the migrations read-only and without privileges', () => {
    for (const name of ['migrate', 'application']) {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    }
    expect(services.migrate?.command).toEqual(['node', expect.stringMatching(inCopy)])
  })

  it('declares each mounted volume, and each mounted file exists', () => {
    const mounts = Object.values(services).flatMap(({ volumes }) => (volumes ?? []) as string[])
    const sources = mounts.map((mount) => mount.split(':')[0] ?? '')
    const named = sources.filter((source) => !source.startsWith('.'))
    expect(named.sort()).toEqual(Object.keys(compose.volumes as Fields).sort())
    for (const source of sources.filter((one) => one.startsWith('.')))
      expect([source, existsSync(source)]).toEqual([source, true])
  })

  it('gives the application a valid environment', () => {
    const filled = {
      POSTGRES_PASSWORD: 'word',
      AUTH_SECRET: 'a'.repeat(32),
      CRON_SECRET: 'c'.repeat(16),
      DOMAIN: 'drops.example',
    }
    const fill = (value: string) =>
      value.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => filled[name as keyof typeof filled] ?? '')
    const environment = services.application?.environment as Record<string, string>
    const values = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]))
    const read = readEnvironment(values)
    expect(read.problems).toEqual([])
    expect(read.values).toMatchObject({ appUrl: 'https://drops.example', trustedProxyHops: 1, payments: 'off' })
  })

  it('terminates TLS in a proxy that forwards to the port of the application', () => {
    const proxy = readFileSync('deploy/caddy/Caddyfile', 'utf8')
    const { PORT } = services.application?.environment as Record<string, string>
    expect(proxy).toContain(`reverse_proxy application:${PORT}`)
    expect(proxy.split('{').length).toBe(proxy.split('}').length)
  })
})

describe('deploy/kubernetes', () => {
  const files = readdirSync('deploy/kubernetes')
  const objects = files.flatMap((name) => readYaml(path.join('deploy/kubernetes', name)))
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)

  it('has two replicas, of which a drain leaves at least one, and a Job that migrates', () => {
    expect(objects.map(({ kind }) => kind).sort()).toEqual(
      ['ConfigMap', 'Deployment', 'Ingress', 'Job', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Service'].sort(),
    )
    expect(ofKind('Deployment')[0]?.spec).toMatchObject({ replicas: 2 })
    expect(ofKind('PodDisruptionBudget')[0]?.spec).toMatchObject({ minAvailable: 1 })
    expect(findAll(ofKind('Job'), 'command')).toEqual([['node', expect.stringMatching(inCopy)]])
  })

  it('uses the same labels, names and ports in all objects', () => {
    const selectors = [
      ...findAll(objects, 'matchLabels'),
      ...ofKind('Service').map(({ spec }) => (spec as Fields).selector),
    ]
    for (const labels of selectors) expect(labels).toEqual({ app: 'lastcall' })
    expect(findAll(ofKind('Deployment'), 'labels')).toContainEqual({ app: 'lastcall' })
    expect(findAll(objects, 'claimName')).toEqual(
      ofKind('PersistentVolumeClaim').map(({ metadata }) => (metadata as Fields).name),
    )
    const [container] = findAll(ofKind('Deployment'), 'containers').flat() as Fields[]
    expect(container?.ports).toEqual([{ name: 'http', containerPort: 3000 }])
    const mounts = (container?.volumeMounts as { name: string }[]).map(({ name }) => name)
    const [volumes] = findAll(ofKind('Deployment'), 'volumes') as { name: string }[][]
    expect(mounts.sort()).toEqual(volumes?.map(({ name }) => name).sort())
  })

  it('probes the health at paths that exist, and does not restart a pod when the database is unavailable', () => {
    const [container = {}] = findAll(ofKind('Deployment'), 'containers').flat() as Fields[]
    const pathOf = (probe: unknown) => (probe as { httpGet: { path: string } }).httpGet.path
    expect(pathOf(container.readinessProbe)).toBe('/api/health')
    expect(pathOf(container.startupProbe)).toBe('/api/health')
    expect(existsSync(path.join('public', pathOf(container.livenessProbe)))).toBe(true)
  })

  it('lets no container write to its image, gain privileges or run as root', () => {
    const containers = findAll(objects, 'containers').flat() as Fields[]
    expect(containers).toHaveLength(2)
    for (const { securityContext } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    expect(findAll(objects, 'runAsNonRoot')).toEqual([true, true])
  })

  it('sets only variables of the contract, to valid values', () => {
    const data = ofKind('ConfigMap')[0]?.data as Record<string, string>
    const contract = readFileSync('docs/contract.md', 'utf8')
    for (const name of Object.keys(data)) expect(contract).toContain(`\`${name}\``)
    expect(readEnvironment(data).problems).toEqual([])
  })
})

describe('vercel.json', () => {
  const settings = JSON.parse(readFileSync('vercel.json', 'utf8')) as {
    buildCommand: string
    crons: { path: string; schedule: string }[]
  }

  it('builds without a database, so that a preview cannot migrate the production database', () => {
    expect(settings.buildCommand).toBe('npm run build')
    expect(packageFile.scripts.build).toBe('node scripts/build.mjs')
  })

  it('schedules existing calls at most once a day, as every plan allows', () => {
    for (const { path: call, schedule } of settings.crons) {
      expect(existsSync(path.join('app', call, 'route.ts'))).toBe(true)
      // The Hobby plan refuses a deployment with a schedule that runs more often than once a day.
      expect(schedule).toMatch(/^\d{1,2} \d{1,2} \* \* \*$/)
    }
  })
})
