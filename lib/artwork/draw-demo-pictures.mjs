// Draws the demo's pictures from prisma/seed/pictures into prisma/seed/images. It is run by hand after a picture was changed:
// drawing all of them takes a minute or two, too long for a first start.
//   node lib/artwork/draw-demo-pictures.mjs
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import sharp from 'sharp'
import typescript from 'typescript'

const seedFolder = fileURLToPath(new URL('../../prisma/seed', import.meta.url))
const WIDTH = 1080

/**
 * Translates the TypeScript files of a folder for Node.
 * @param {string} from
 * @param {string} to
 */
async function compile(from, to) {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await compile(path.join(from, entry.name), path.join(to, entry.name))
      continue
    }
    const { outputText } = typescript.transpileModule(await readFile(path.join(from, entry.name), 'utf8'), {
      compilerOptions: { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 },
    })
    // The sources import each other without a file extension; Node needs one.
    const linked = outputText.replace(/from '(\.[^']+)'/g, "from '$1.mjs'")
    await writeFile(path.join(to, entry.name.replace(/\.ts$/, '.mjs')), linked)
  }
}

const compiled = path.join(tmpdir(), `lastcall-pictures-${process.pid}`)
await compile(path.join(seedFolder, 'pictures'), compiled)
await mkdir(path.join(seedFolder, 'images'), { recursive: true })
const names = (await readdir(compiled)).filter((name) => name.endsWith('.mjs') && name !== 'shapes.mjs')
for (const name of names) {
  /** @type {Record<string, string[]>} */
  const drawing = await import(pathToFileURL(path.join(compiled, name)).href)
  const [pictures = []] = Object.values(drawing)
  for (const [index, svg] of pictures.entries()) {
    const file = `${name.replace('.mjs', '')}-${index + 1}.webp`
    const density = (72 * WIDTH) / 1600
    await sharp(Buffer.from(svg), { density, unlimited: true })
      .webp({ quality: 74, effort: 6 })
      .toFile(path.join(seedFolder, 'images', file))
    console.log(file)
  }
}
