// The fuzz test loads this file into the server (NODE_OPTIONS). On the signal SIGUSR2, the server collects garbage and
// writes the megabytes that its objects and buffers still occupy to the file LIVE_MEMORY_FILE. Its resident memory
// would say little, because V8 returns memory to the system late and at random moments.
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collectGarbage = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  const file = String(process.env.LIVE_MEMORY_FILE)
  // The reader never sees half of a number, because the file gets its name when it is complete.
  writeFileSync(`${file}.new`, String(Math.round((heapUsed + external) / 2 ** 20)))
  renameSync(`${file}.new`, file)
})
