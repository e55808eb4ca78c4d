import type { CopyServer } from './built-copy'

/** Prints how long a start took, and how much processor time and memory the server used until it was healthy. */
export function reportStart({ startMs, cpuMs, memoryMb }: CopyServer, name: string): void {
  const cpu = cpuMs === null ? '' : ` (${cpuMs} ms of processor time)`
  process.stdout.write(`${name}: healthy after ${startMs} ms${cpu}, ${memoryMb ?? '?'} MB\n`)
}

/**
 * Checks that a server used less than 3 seconds of processor time and 250 MB until it was healthy (docs/hosting.md).
 * The elapsed time is only printed, because it depends on the load of the machine.
 */
export function expectSmallStart({ cpuMs, memoryMb }: CopyServer): void {
  expect(cpuMs ?? 0).toBeLessThan(3_000)
  expect(memoryMb ?? 0).toBeLessThan(250)
}
