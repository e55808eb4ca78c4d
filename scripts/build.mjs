// npm run build installs missing packages, generates the Prisma client and builds the application. It uses no database,
// and it skips each of these steps whose result is up to date.
//   npm run build -- --standalone    also makes .next/standalone, which a server can run without the project's folder
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
