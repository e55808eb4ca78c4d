// npm run build: installs what is missing, generates the Prisma client and builds. It touches no database and makes only what
// is out of date.
import './require-node.mjs'
import { prepare, prepareBuild } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

try {
  process.chdir(root)
  await prepare()
  const isNew = await prepareBuild()
  if (!isNew) console.log('✓ The build is up to date')
} catch (error) {
  reportFailure(error)
}
