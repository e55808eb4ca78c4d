// npm run build: installs what is missing, generates the Prisma client and builds. It touches no database and makes only what
// is out of date.
//   npm run build -- --standalone    also makes .next/standalone: all that a server needs, without the project's folder
import './require-node.mjs'
import { packStandalone } from './pack-standalone.mjs'
import { prepare, prepareBuild } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { step } from './output.mjs'
import { root } from './run-command.mjs'

try {
  process.chdir(root)
  const isStandalone = process.argv.includes('--standalone')
  await prepare()
  const isNew = await prepareBuild({ isStandalone })
  if (!isNew) console.log('✓ The build is up to date')
  if (isStandalone) await step('Packed into .next/standalone', packStandalone)
} catch (error) {
  reportFailure(error)
}
