// A clean clone of the repository, and servers that run from it or from a copy of what it built.
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

const START_MS = 60_000
const OUTPUT_LIMIT = 20_000

/** Puts the files of the repository, and no other, into a folder; the packages become hard links. */
export function makeCleanClone(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const name of listed.split('\0').filter((one) => one && existsSync(one))) {
    const target = path.join(folder, name)
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(name, target)
  }
  // What `prisma generate` made belongs to no package: the clone has to make it itself.
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
    // The temporary folder is on another disk.
    copyFileSync(source, target)
  }
}

export type CopyServer = {
  url: string
  /** From the start of the process to its first answer. */
  startMs: number
  /** The memory that the process holds then, in MB; null where the system does not say. */
  memoryMb: number | null
  output: () => string
  /** Ends it as a host does, and waits. @returns its exit code. */
  stop: () => Promise<number | null>
}

type Options = { folder: string; words: string[]; env: Record<string, string>; port: number; uid?: number }

/** Starts a server in a folder, with these variables and the few that every start needs, and waits for its first answer. */
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
  return { url, startMs, memoryMb: memoryOf(child.pid ?? 0), output: () => output, stop }
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

function memoryOf(pid: number): number | null {
  const file = `/proc/${pid}/status`
  const [, kilobytes] = existsSync(file) ? (/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8')) ?? []) : []
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
}

/** The status of a request with a method or headers that fetch() does not send. */
export function statusOf(
  server: CopyServer,
  address: string,
  options: { method: string; headers?: Record<string, string>; body?: string },
) {
  return new Promise<number>((resolve, reject) => {
    const { port } = new URL(server.url)
    const asked = httpRequest({ host: '127.0.0.1', port, path: address, ...options }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject).end(options.body)
  })
}

/** Whether brand, title and price are drawn at their places in a preview picture without a photo. */
export async function inkOf(picture: Buffer): Promise<Record<string, boolean>> {
  const areas = {
    brand: { left: 54, top: 54, width: 300, height: 45 },
    title: { left: 54, top: 190, width: 900, height: 130 },
    price: { left: 54, top: 320, width: 300, height: 80 },
  }
  const found: Record<string, boolean> = {}
  for (const [name, area] of Object.entries(areas)) {
    const { data } = await sharp(picture).extract(area).greyscale().raw().toBuffer({ resolveWithObject: true })
    found[name] = data.some((grey) => grey < 130)
  }
  return found
}
