import type { PickedPicture } from '@/lib/drops/schema'
import { newId } from '@/lib/kernel/id'

export const toPicture = (file: File): PickedPicture => ({ id: newId('pic'), file, url: URL.createObjectURL(file) })
