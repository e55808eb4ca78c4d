'use client'

import { Camera, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import type { ProfileImage } from './use-profile-image'

/** Two taps within this time count as a double tap. */
const DOUBLE_TAP_MS = 350

/**
 * Shows the profile picture with a button for each action. A double tap also removes the picture
 * (docs/product.md#profile-and-picture).
 */
export function ProfileImageField({ name, image }: { name: string; image: ProfileImage }) {
  const input = useRef<HTMLInputElement>(null)
  const lastTap = useRef(0)

  function tap(at: number) {
    if (image.src && at - lastTap.current < DOUBLE_TAP_MS) image.remove()
    lastTap.current = at
  }

  return (
    <div className="flex items-center gap-4">
      <div
        onPointerUp={(event) => tap(event.timeStamp)}
        className="grid size-20 shrink-0 touch-manipulation place-items-center overflow-hidden rounded-full bg-sunken text-3xl font-bold text-muted select-none"
      >
        {image.src ? (
          // eslint-disable-next-line @next/next/no-img-element -- no server can resize a picked file
          <img src={image.src} alt="Your profile photo" className="size-full object-cover" draggable={false} />
        ) : (
          <span aria-hidden>{name.slice(0, 1).toUpperCase()}</span>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          className="sr-only"
          aria-label="Profile image"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) image.pick(file)
            event.target.value = ''
          }}
        />
        <Button variant="outline" size="sm" onClick={() => input.current?.click()}>
          <Camera aria-hidden />
          {image.src ? 'Change' : 'Add'}
          <span className={image.src ? 'sr-only' : undefined}> profile photo</span>
        </Button>
        {image.src ? (
          <Button variant="ghost" size="sm" onClick={image.remove}>
            <Trash2 aria-hidden />
            Remove
            <span className="sr-only"> profile photo</span>
          </Button>
        ) : null}
      </div>
    </div>
  )
}
