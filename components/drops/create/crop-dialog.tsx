'use client'

import { RotateCw } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { Dialog, DialogContent, DialogFooter, DialogHeader, DialogTitle } from '@/components/ui/dialog'
import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'
import { type Crop, MAX_ANGLE, MAX_ZOOM } from './draw-crop'
import { useCrop } from './use-crop'

type CropDialogProps = {
  file: File
  onClose: () => void
  onCropped: (file: File) => void
  /** Called after the photo was replaced, because the button that opened the dialog is then gone. */
  onFocusLost: () => void
}

const shapes: [label: string, shape: number | null][] = [
  ['Original', null],
  ['Square', 1],
  ['Portrait', 4 / 5],
]

/** How far an arrow key moves the photo, in pixels of the screen. */
const STEP_PX = 10
const arrows: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -STEP_PX, y: 0 },
  ArrowRight: { x: STEP_PX, y: 0 },
  ArrowUp: { x: 0, y: -STEP_PX },
  ArrowDown: { x: 0, y: STEP_PX },
}

/** Crops, turns and straightens a photo in the browser. Closing the dialog keeps the photo as it was. */
export function CropDialog({ file, onClose, onCropped, onFocusLost }: CropDialogProps) {
  const [isMaking, setIsMaking] = useState(false)
  const fail = () => {
    toast({ ...dropToasts.cropFailed, tone: 'bad' })
    onClose()
  }
  const { canvas, crop, change, move, make, isOpen } = useCrop(file, fail)

  async function finish() {
    setIsMaking(true)
    const made = await make().catch(() => null)
    if (made) onCropped(made)
    else fail()
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        aria-describedby={undefined}
        className="md:max-w-xl"
        onCloseAutoFocus={(event) => {
          if (!isMaking) return
          event.preventDefault()
          onFocusLost()
        }}
      >
        <DialogHeader>
          <DialogTitle>Crop photo</DialogTitle>
        </DialogHeader>
        {/* A phone in landscape shows the photo and its controls side by side. */}
        <div className="grid gap-4 low:sm:grid-cols-[2fr_3fr]">
          <Preview canvas={canvas} onMove={move} />
          <div className="grid content-start gap-4 low:gap-1">
            <ShapeChoice crop={crop} onChange={change} />
            <Slider
              label="Straighten"
              value={crop.angle}
              min={-MAX_ANGLE}
              max={MAX_ANGLE}
              step={0.5}
              text={`${crop.angle}°`}
              onChange={(angle) => change({ angle })}
            />
            <Slider
              label="Zoom"
              value={crop.zoom}
              min={1}
              max={MAX_ZOOM}
              step={0.05}
              text={`${Math.round(crop.zoom * 100)}%`}
              onChange={(zoom) => change({ zoom })}
            />
          </div>
        </div>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!isOpen || isMaking} onClick={() => void finish()}>
            Use photo
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

type ShapeChoiceProps = { crop: Crop; onChange: (changed: Partial<Crop>) => void }

/** Chooses the shape of the frame, and turns the photo by quarters. */
function ShapeChoice({ crop, onChange }: ShapeChoiceProps) {
  return (
    <div role="group" aria-label="Shape" className="flex gap-2">
      {shapes.map(([label, shape]) => (
        <Button
          key={label}
          variant={crop.shape === shape ? 'default' : 'outline'}
          aria-pressed={crop.shape === shape}
          className="flex-1 px-2 forced-colors:aria-pressed:outline-2"
          onClick={() => onChange({ shape })}
        >
          {label}
        </Button>
      ))}
      <Button
        variant="outline"
        size="icon"
        aria-label="Rotate 90°"
        onClick={() => onChange({ turns: (crop.turns + 1) % 4 })}
      >
        <RotateCw aria-hidden />
      </Button>
    </div>
  )
}

type PreviewProps = {
  canvas: React.RefObject<HTMLCanvasElement | null>
  onMove: (by: { x: number; y: number }) => void
}

/** Shows the cropped photo. A finger, a mouse or the arrow keys move the photo in its frame. */
function Preview({ canvas, onMove }: PreviewProps) {
  const last = useRef<{ x: number; y: number } | null>(null)

  function drag({ clientX: x, clientY: y }: PointerEvent) {
    if (last.current) onMove({ x: x - last.current.x, y: y - last.current.y })
    last.current = { x, y }
  }

  function moveByKey(event: KeyboardEvent) {
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    onMove(by)
  }

  return (
    <div
      role="application"
      tabIndex={0}
      aria-label="Photo in its frame. Drag it or use the arrow keys to move it."
      onKeyDown={moveByKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        last.current = null
        drag(event)
      }}
      onPointerMove={(event) => {
        if (event.buttons > 0) drag(event)
      }}
      className={cn(
        'relative h-[40dvh] shrink-0 cursor-move touch-none overflow-hidden rounded-card bg-sunken',
        'outline-offset-2 focus-visible:outline-2 focus-visible:outline-ember',
      )}
    >
      <canvas ref={canvas} className="absolute inset-0 m-auto max-h-full max-w-full" />
    </div>
  )
}

type SliderProps = {
  label: string
  value: number
  min: number
  max: number
  step: number
  text: string
  onChange: (value: number) => void
}

function Slider({ label, value, text, onChange, ...range }: SliderProps) {
  return (
    <label className="grid grid-cols-[6rem_1fr_3rem] items-center gap-3 text-sm font-semibold">
      {label}
      <input
        type="range"
        {...range}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-11 w-full accent-ember"
      />
      <span aria-hidden className="tabular text-end font-normal text-muted">
        {text}
      </span>
    </label>
  )
}
