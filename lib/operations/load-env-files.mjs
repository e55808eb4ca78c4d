import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Loads the .env files of a folder into the environment of this process, as Next does. A variable that is set in the
 * shell takes precedence over the files.
 * @param {NodeJS.ProcessEnv} environment the environment of this process
 * @param {string} folder
 * @param {'production' | 'development'} mode
 */
export function loadEnvFiles(environment, folder, mode) {
  // Next reads the same files unless this variable is set. Tests set it to keep a developer's .env.local out.
  if (environment.__NEXT_PROCESSED_ENV) return
  for (const name of [`.env.${mode}.local`, '.env.local', `.env.${mode}`, '.env']) {
    const file = path.join(folder, name)
    if (existsSync(file)) process.loadEnvFile(file)
  }
  environment.__NEXT_PROCESSED_ENV = 'true'
}
