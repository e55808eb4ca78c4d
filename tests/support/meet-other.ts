import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Waits until two processes have called this function with the same folder, so that both begin at the same time. */
export async function meetOther(meetingPlace: string): Promise<void> {
  await writeFile(path.join(meetingPlace, String(process.pid)), '')
  while ((await readdir(meetingPlace)).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
}
