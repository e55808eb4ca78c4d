import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from './output.mjs'

/** The repository's root: every command runs there, wherever it was called from. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const running = new Set()

/** Ends the commands that are still running: called when this process is told to stop in the middle of a step. */
export function stopCommands() {
  for (const child of running) child.kill('SIGTERM')
}

/**
 * Runs a program to its end and keeps what it printed.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void, timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number, output: string, stdout: string }>} `code` is -1 when it could not be started or died.
 */
export function runCommand(command, args, { env = process.env, onOutput, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    let stdout = ''
    const keep = (text) => {
      output += text
      onOutput?.(text)
    }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      keep(text)
    })
    child.stderr.setEncoding('utf8').on('data', keep)
    const timer =
      timeoutMs &&
      setTimeout(() => {
        keep(`\nStopped: it took longer than ${Math.round(timeoutMs / 60_000)} minutes.\n`)
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
      }, timeoutMs)
    child.on('error', (error) => {
      running.delete(child)
      resolve({ code: -1, output: `${output}${error.message}\n`, stdout })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ code: code ?? -1, output, stdout })
    })
  })
}

/** The same, but a failure is thrown with everything the program printed. */
export async function runOrRefuse(title, command, args, options) {
  const { code, output } = await runCommand(command, args, options)
  if (code !== 0) throw new Refusal(`${output.trimEnd()}\n\n${title} failed: see above.`)
}

/**
 * How to call a script of an installed package: without npx, which would look for updates.
 * @returns {[string, string[]]} command and arguments
 */
export function nodeBin(file, ...args) {
  return [process.execPath, [path.join(root, 'node_modules', file), ...args]]
}
