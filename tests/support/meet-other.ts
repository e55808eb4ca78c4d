import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Waits until two processes have come to the folder, so that both begin together however long each took to load. */
export async function meetOther(meetingPlace: string): Promise<void> {
  await writeFile(path.join(meetingPlace, String(process.pid)), '')
  while ((await readdir(meetingPlace)).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
}
