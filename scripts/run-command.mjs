import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../lib/operations/refusal.mjs'

/**
 * @import { ChildProcess } from 'node:child_process'
 *
 * @typedef {{ env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void, timeoutMs?: number }} CommandOptions
 */

/** The root of the repository. The functions below run every program there, whatever the current folder is. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** @type {Set<ChildProcess>} */
const running = new Set()

/** Ends the programs that are still running. Call this when the process has to stop in the middle of a step. */
export function stopCommands() {
  for (const child of running) child.kill('SIGTERM')
}

/**
 * Runs a program to its end and keeps what it printed.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} `code` is -1 when the program could not be started or was killed
 */
export function runCommand(command, args, { env = process.env, onOutput, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    const keep = (/** @type {string} */ text) => {
      output += text
      onOutput?.(text)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            keep(`\nStopped: it took longer than ${Math.round(timeoutMs / 60_000)} minutes.\n`)
            child.kill('SIGTERM')
            setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
          }, timeoutMs)
    child.on('error', (error) => {
      running.delete(child)
      resolve({ code: -1, output: `${output}${error.message}\n` })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ code: code ?? -1, output })
    })
  })
}

/**
 * Runs a program like `runCommand`, but throws a Refusal with everything that it printed when it fails.
 * @param {string} title what the program does, for the message
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 */
export async function runOrRefuse(title, command, args, options) {
  const { code, output } = await runCommand(command, args, options)
  if (code !== 0) throw new Refusal(`${output.trimEnd()}\n\n${title} failed: see above.`)
}

/**
 * Returns the command that runs a program of an installed package. npx is not used, because it looks for updates.
 * @param {string} file the path below node_modules
 * @param {string[]} args
 * @returns {[string, string[]]} command and arguments
 */
export function nodeBin(file, ...args) {
  return [process.execPath, [path.join(root, 'node_modules', file), ...args]]
}
