// Makes clean clones of the repository, and starts servers in a clone or in a copy of a build.
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { cpuOf } from '@/bench/processes.mjs'
import { noteApp } from './note-app.mjs'

const START_MS = 60_000
const OUTPUT_LIMIT = 20_000

/** Copies all files that git does not ignore into a folder. The packages are hard links where possible. */
export function makeCleanClone(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const name of listed.split('\0').filter((one) => one && existsSync(one))) {
    const target = path.join(folder, name)
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(name, target)
  }
  // The output of `prisma generate` belongs to no package, so the clone has to generate it again.
  linkFolder('node_modules', path.join(folder, 'node_modules'), path.join('node_modules', '.prisma'))
}

function linkFolder(from: string, to: string, except: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (source === except) continue
    if (entry.isDirectory()) linkFolder(source, target, except)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    // A hard link is not possible when the temporary folder is on another disk.
    copyFileSync(source, target)
  }
}

export type CopyServer = {
  url: string
  /** The time from the start of the process to its first successful health check. */
  startMs: number
  /** The processor time of the process until that health check, in ms. Null if the system has no /proc. */
  cpuMs: number | null
  /** The memory of the process at that health check, in MB. Null if the system has no /proc. */
  memoryMb: number | null
  output: () => string
  /** Ends the server with SIGTERM, as a host does. @returns the exit code of the process. */
  stop: () => Promise<number | null>
}

type Options = { folder: string; words: string[]; env: Record<string, string>; port: number; uid?: number }

/**
 * Starts a Node program as a server in a folder, and waits until it is healthy. The process gets the variables of
 * `env` and the few that every start needs.
 */
export async function startCopy({ folder, words, env, port, uid }: Options): Promise<CopyServer> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      __NEXT_PROCESSED_ENV: 'true',
      NODE_ENV: 'production',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let output = ''
  const keep = (text: string) => (output = (output + text).slice(-OUTPUT_LIMIT))
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const url = `http://localhost:${port}`
  noteApp(url)
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  while (!(await isHealthy(port))) {
    if (hasEnded || performance.now() - startedAt > START_MS) {
      child.kill('SIGKILL')
      throw new Error(`The copy did not start:\n${output}`)
    }
    await pause(20)
  }
  const startMs = Math.round(performance.now() - startedAt)
  const pid = child.pid ?? 0
  return { url, startMs, cpuMs: cpuMsOf(pid), memoryMb: memoryOf(pid), output: () => output, stop }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(10_000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

function cpuMsOf(pid: number): number | null {
  const us = cpuOf(pid)
  return Number.isNaN(us) ? null : Math.round(us / 1_000)
}

function memoryOf(pid: number): number | null {
  const file = `/proc/${pid}/status`
  const [, kilobytes] = existsSync(file) ? (/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8')) ?? []) : []
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

/** Sends a request, even if fetch() would refuse its method or headers. @returns the status of the response. */
export function statusOf(
  server: CopyServer,
  target: string,
  options: { method: string; headers?: Record<string, string>; body?: string },
) {
  return new Promise<number>((resolve, reject) => {
    const { port } = new URL(server.url)
    const request = httpRequest({ host: '127.0.0.1', port, path: target, ...options }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    request.on('error', reject).end(options.body)
  })
}

/** Returns whether the brand, the title and the price are drawn in their areas of a preview image without a photo. */
export async function inkOf(picture: Buffer): Promise<Record<string, boolean>> {
  const areas = {
    brand: { left: 54, top: 54, width: 300, height: 45 },
    title: { left: 54, top: 190, width: 900, height: 130 },
    price: { left: 54, top: 320, width: 300, height: 80 },
  }
  const found: Record<string, boolean> = {}
  for (const [name, area] of Object.entries(areas)) {
    const { data } = await sharp(picture).extract(area).grayscale().raw().toBuffer({ resolveWithObject: true })
    found[name] = data.some((gray) => gray < 130)
  }
  return found
}

/** Signs a seller up and returns the cookies of the session, as the value of a Cookie header. */
export async function signUp(server: CopyServer): Promise<string> {
  const answer = await fetch(`${server.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'copy_seller',
      email: 'copy@example.com',
      password: 'pass copy seller',
      firstName: 'Ada',
    }),
  })
  expect(answer.status).toBe(201)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/**
 * Returns the packages in a folder, as package-lock.json names them. Next also copies the package.json of packages that
 * it has only looked up; those are left out. A package that npm marks as `devOptional` does not count as a development
 * package.
 */
export function packed(folder: string): { name: string; isDev: boolean }[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  const hasCode = (name: string) =>
    existsSync(path.join(folder, name)) &&
    readdirSync(path.join(folder, name)).some((entry) => !['package.json', 'node_modules'].includes(entry))
  return Object.entries(packages)
    .filter(([name]) => name && hasCode(name))
    .map(([name, { dev }]) => ({ name: name.replace(/^node_modules\//, ''), isDev: dev === true }))
}
