import { existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../kernel/caught-error.mjs'

/**
 * Moves the files and folders of one folder into another, and those that they replace into a third. When this fails, it
 * moves everything back.
 * @param {{ from: string, to: string, aside: string }} folders `aside` is created if anything is replaced
 * @returns {Promise<{ hasReplaced: boolean, undo: () => Promise<void> }>} `undo` moves everything back
 */
export async function swapFiles({ from, to, aside }) {
  /** @type {[from: string, to: string][]} */
  const moved = []
  let hasReplaced = false
  const undo = async () => {
    for (const [source, target] of moved.reverse()) await move(target, source)
  }
  /**
   * @param {string} source
   * @param {string} target
   */
  const moveNoted = async (source, target) => {
    // A move that fails halfway has moved some of the files of its folder.
    moved.push([source, target])
    await move(source, target)
  }
  try {
    for (const name of await readdir(from)) {
      const place = path.join(to, name)
      if (existsSync(place)) {
        await mkdir(aside, { recursive: true, mode: 0o700 })
        await moveNoted(place, path.join(aside, name))
        hasReplaced = true
      }
      await moveNoted(path.join(from, name), place)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return { hasReplaced, undo }
}

/**
 * Moves a file or a folder. Between two disks a rename is impossible, so the files are copied. A folder that is a disk
 * of its own stays, without its content.
 * @param {string} source does nothing if it is missing
 * @param {string} target
 */
async function move(source, target) {
  try {
    await rename(source, target)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return
    // EXDEV: another disk. EBUSY and ENOTEMPTY: one of the two is a disk of its own, or was moved halfway.
    if (code !== 'EXDEV' && code !== 'EBUSY' && code !== 'ENOTEMPTY') throw error
    if ((await lstat(source)).isDirectory()) {
      await mkdir(target, { recursive: true, mode: 0o700 })
      for (const name of await readdir(source)) await move(path.join(source, name), path.join(target, name))
      await rmdir(source).catch((/** @type {unknown} */ reason) => {
        if (codeOf(reason) !== 'EBUSY') throw reason
      })
    } else {
      await copyFile(source, target)
      await rm(source)
    }
  }
}
