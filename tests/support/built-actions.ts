import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the path of a file in `app/`: `(buyer)/drop/[identifier]/page.tsx` has the path `/drop/[identifier]`. */
export const pathOfFile = (file: string) =>
  `/${path.posix.dirname(file)}`.replace(/\/\([^)]+\)/g, '').replace(/^\/\.$/, '/') || '/'

export type BuiltAction = { id: string; what: string; place: string }

/** Returns the server actions of the build, each with the path of a page that uses it. */
export function builtActions(): BuiltAction[] {
  const manifest = JSON.parse(readFileSync('.next/server/server-reference-manifest.json', 'utf8')) as {
    node: Record<string, { filename: string; exportedName: string; workers: Record<string, unknown> }>
  }
  return Object.entries(manifest.node).map(([id, { filename, exportedName, workers }]) => ({
    id,
    what: `${pathOfFile(filename.replace(/^app\//, ''))} ${exportedName}`,
    place: pathOfFile(Object.keys(workers)[0]!.replace(/^app\//, '')),
  }))
}
