import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'

// There is no container engine, cluster or hosting account here to try these files, so this test reads them and checks rules.
// The commands that they start are tried by tests/integration/server/built-copy.test.ts.

type Fields = Record<string, unknown>

/** Reads a file that may hold several documents, with merge keys, and refuses doubled keys. */
function readYaml(file: string): Fields[] {
  return parseAllDocuments(readFileSync(file, 'utf8'), { merge: true }).map((document) => {
    expect([file, document.errors, document.warnings]).toEqual([file, [], []])
    return document.toJS() as Fields
  })
}

/** Everything in a value that has this name, at any depth. */
function findAll(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...findAll(inner, name)])
}

const packageFile = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** What the copy in the image can run (scripts/pack-standalone.mjs). */
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

  it('is made of known instructions, in stages that exist', () => {
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

  it('takes a Node that the project runs on', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
    const [, least] = /(\d+)/.exec(engines.node) ?? []
    for (const [, major] of text.matchAll(/node:(\d+)/g)) expect(Number(major)).toBeGreaterThanOrEqual(Number(least))
  })

  it('installs before it copies the sources, so that a change of a source does not install again', () => {
    const install = instructions.findIndex(({ rest }) => rest.startsWith('npm install'))
    const sources = instructions.findIndex(({ name, rest }) => name === 'COPY' && rest === '. .')
    expect(install).toBeGreaterThan(0)
    expect(sources).toBeGreaterThan(install)
    expect(instructions[install - 1]?.rest).toContain('package-lock.json')
  })

  it('ends in a stage that takes the built copy and nothing else, and neither installs nor builds', () => {
    const copies = last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest)
    expect(copies).toEqual(['--from=build /app/.next/standalone ./'])
    expect(last.filter(({ rest }) => /\bnpm\b|\bnext build\b|curl|apt/.test(rest))).toEqual([])
  })

  it('runs as a numbered user who is not root, in exec form, with a check of its health', () => {
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
    // The last stage names its user before its command.
    expect(last.findIndex(({ name }) => name === 'USER')).toBeLessThan(last.findIndex(({ name }) => name === 'CMD'))
  })

  it('sets only variables that exist, to values that pass', () => {
    const set = last.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(' '))
    const values = Object.fromEntries(set.map((one) => one.split('=') as [string, string]))
    expect(Object.keys(values).sort()).toEqual(['DATA_DIR', 'HOST', 'NODE_ENV', 'PORT'])
    expect(readEnvironment(values).problems).toEqual([])
  })

  it('leaves out what .dockerignore must keep away: secrets, the history, and what is made anew', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    for (const name of ['.git', '.env', '.env.*', '.data', '.next', 'node_modules']) expect(ignored).toContain(name)
    // What the build reads must stay.
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

  it('publishes the proxy only', () => {
    expect(Object.entries(services).flatMap(([name, { ports }]) => (ports ? [name] : []))).toEqual(['proxy'])
  })

  it('runs the application read-only and without privileges', () => {
    for (const name of ['migrate', 'application']) {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    }
    expect(services.migrate?.command).toEqual(['node', expect.stringMatching(inCopy)])
  })

  it('declares each volume that it mounts, and each mounted file exists', () => {
    const mounts = Object.values(services).flatMap(({ volumes }) => (volumes ?? []) as string[])
    const sources = mounts.map((mount) => mount.split(':')[0] ?? '')
    const named = sources.filter((source) => !source.startsWith('.'))
    expect(named.sort()).toEqual(Object.keys(compose.volumes as Fields).sort())
    for (const source of sources.filter((one) => one.startsWith('.')))
      expect([source, existsSync(source)]).toEqual([source, true])
  })

  it('gives the application an environment that starts', () => {
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

  it('ends TLS in front of the port that the application listens on', () => {
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

  it('has two replicas that a drain does not take away at once, and a Job that migrates', () => {
    expect(objects.map(({ kind }) => kind).sort()).toEqual(
      ['ConfigMap', 'Deployment', 'Ingress', 'Job', 'PersistentVolumeClaim', 'PodDisruptionBudget', 'Service'].sort(),
    )
    expect(ofKind('Deployment')[0]?.spec).toMatchObject({ replicas: 2 })
    expect(ofKind('PodDisruptionBudget')[0]?.spec).toMatchObject({ minAvailable: 1 })
    expect(findAll(ofKind('Job'), 'command')).toEqual([['node', expect.stringMatching(inCopy)]])
  })

  it('uses labels, names and ports that belong together', () => {
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

  it('asks for health at addresses that exist; a pod is not restarted because the database is away', () => {
    const [container = {}] = findAll(ofKind('Deployment'), 'containers').flat() as Fields[]
    const pathOf = (probe: unknown) => (probe as { httpGet: { path: string } }).httpGet.path
    expect(pathOf(container.readinessProbe)).toBe('/api/health')
    expect(pathOf(container.startupProbe)).toBe('/api/health')
    expect(existsSync(path.join('public', pathOf(container.livenessProbe)))).toBe(true)
  })

  it('lets no container write to its image, gain privileges or be root', () => {
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

  it('sets only variables that the application knows', () => {
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

  it('builds without a database: a preview must not migrate what production runs on', () => {
    expect(settings.buildCommand).toBe('npm run build')
    expect(packageFile.scripts.build).toBe('node scripts/build.mjs')
  })

  it('schedules calls that exist, as often as every plan allows', () => {
    for (const { path: call, schedule } of settings.crons) {
      expect(existsSync(path.join('app', call, 'route.ts'))).toBe(true)
      // The Hobby plan refuses a deployment with a schedule that runs more often than once a day.
      expect(schedule).toMatch(/^\d{1,2} \d{1,2} \* \* \*$/)
    }
  })
})
