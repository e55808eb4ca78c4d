// `npm run shots` writes a picture of each screen that the files of this folder list to shots/, in both themes and at
// four sizes, and a page that shows them all, shots/index.html. The command starts the application with its demo data.
//   SHOTS_ONLY=drop-,claim npm run shots    only the screens whose names contain one of these strings
//   SHOTS_FOLD=1 npm run shots        only the part of each screen that is visible without scrolling
//   SHOTS_URL=… SHOTS_DATABASE_URL=…  uses an application that is already running, with its demo data
//   npm run shots -- --baseline       keeps pictures of the twenty screens that matter most
//   npm run shots -- --compare        compares these screens with the pictures that were kept (CONTRIBUTING.md)
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '../../scripts/find-browser.mjs'
import { nodeBin, runCommand } from '../../scripts/run-command.mjs'
import { startApp } from '../support/start-app.mjs'
import { createShop } from './create-shop.mjs'
import { type Device, openScreen, type Screen, SIZES } from './open-screen.mjs'
import { screens } from './screens'

const THEMES = ['light', 'dark'] as const
/** The kinds of windows, and the sizes for which each is used. */
const WINDOWS: [Device, Device[]][] = [
  ['phone', ['phone']],
  ['desktop', ['desktop', 'tablet', 'sideways']],
]
const FOLDER = path.resolve('shots')
const { SHOTS_ONLY = '', SHOTS_FOLD, SHOTS_URL, SHOTS_DATABASE_URL } = process.env

const browserPlace = await findBrowser()
const app = SHOTS_URL
  ? { url: SHOTS_URL, databaseUrl: SHOTS_DATABASE_URL ?? '', stop: async () => {} }
  : await startApp()
Object.assign(process.env, { E2E_BASE_URL: app.url, E2E_DATABASE_URL: app.databaseUrl })
try {
  const mode = process.argv.find((word) => ['--baseline', '--compare'].includes(word))
  if (mode) await compare(mode === '--baseline')
  else await takeAll()
} finally {
  await app.stop()
}

async function takeAll() {
  const wanted = screens.filter(({ name }) => SHOTS_ONLY.split(',').some((text) => name.includes(text)))
  for (const file of await readdir(FOLDER).catch(() => [])) {
    if (/\.(png|html)$/.test(file)) await rm(path.join(FOLDER, file))
  }
  await mkdir(FOLDER, { recursive: true })
  const browser = await chromium.launch({
    executablePath: browserPlace.CHROMIUM_PATH,
    chromiumSandbox: browserPlace.CHROMIUM_SANDBOX === '1',
    args: ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  const shop = createShop(app.url)
  const failed: string[] = []
  try {
    for (const screen of wanted) {
      await take(screen).catch((error) =>
        failed.push(`${screen.name}: ${error instanceof Error ? error.message : error}`),
      )
      process.stdout.write('.')
    }
  } finally {
    await browser.close()
    await writeFile(path.join(FOLDER, 'index.html'), pageOf(wanted))
  }
  console.log(`\nLook at ${path.join(FOLDER, 'index.html')}`)
  if (failed.length > 0) throw new Error(`These screens could not be shown:\n${failed.join('\n')}`)

  async function take(screen: Screen) {
    for (const [device, sizes] of WINDOWS) {
      const page = await openScreen(browser, { screen, shop, url: app.url, device })
      try {
        for (const size of sizes) {
          await page.setViewportSize(SIZES[size])
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            const file = path.join(FOLDER, `${screen.name}.${size}.${colorScheme}.png`)
            await page.screenshot({ path: file, fullPage: SHOTS_FOLD !== '1' })
          }
        }
      } finally {
        await page.context().close()
        await screen.leave?.()
      }
    }
  }
}

/** Returns the page that shows all pictures. */
function pageOf(shown: Screen[]) {
  const sizes = Object.keys(SIZES) as Device[]
  const columns = sizes.flatMap((size) => THEMES.map((theme) => ({ size, theme })))
  const rows = shown.map(({ name }) => {
    const pictures = columns.map(
      ({ size, theme }) =>
        `<td><a href="${name}.${size}.${theme}.png"><img loading="lazy" src="${name}.${size}.${theme}.png" alt="${name}, ${size}, ${theme}" width="${Math.round(SIZES[size].width / 3)}"></a></td>`,
    )
    return `<tr id="${name}"><th scope="row"><a href="#${name}">${name}</a></th>${pictures.join('')}</tr>`
  })
  const head = columns.map(({ size, theme }) => `<th scope="col">${size}, ${theme}</th>`).join('')
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px system-ui}th{position:sticky;left:0;background:#fff;padding:4px;text-align:left}thead th{top:0;z-index:1}td{vertical-align:top;padding:4px}img{border:1px solid #ccc;max-height:480px;object-fit:cover;object-position:top}</style>
<h1>${shown.length} screens</h1><table><thead><tr><th>Screen</th>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>\n`
}

/** @param isBaseline whether the pictures are kept instead of compared */
async function compare(isBaseline: boolean) {
  const words = [
    'test',
    '--config',
    'tests/screens/playwright.config.ts',
    ...(isBaseline ? ['--update-snapshots'] : []),
  ]
  Object.assign(process.env, browserPlace)
  const onOutput = (text: string) => process.stdout.write(text)
  const { code } = await runCommand(...nodeBin('@playwright/test/cli.js', ...words), {
    timeoutMs: 30 * 60_000,
    onOutput,
  })
  if (code !== 0) process.exitCode = 1
}
