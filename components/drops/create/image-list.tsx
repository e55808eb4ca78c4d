'use client'

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import type { PickedPicture } from '@/lib/drops/schema'
import { ImageTile } from './image-tile'
import type { PhotoState } from './photo-queue'

type ImageListProps = {
  pictures: PickedPicture[]
  /** How far each picture has been sent, by its id. */
  states: ReadonlyMap<string, PhotoState>
  onMove: (from: number, to: number) => void
  onRemove: (id: string) => void
  onCrop: (picture: PickedPicture) => void
}

/** Shows the pictures in order. Mouse, touch and keyboard can change the order. */
export function ImageList({ pictures, states, onMove, onRemove, onCrop }: ImageListProps) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 8 } }),
    // Dragging starts after a short press, so that scrolling the page with a thumb does not move a picture.
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  const place = (id: string | number) => pictures.findIndex((picture) => picture.id === id) + 1
  // Without these texts the drag library would announce the ids of the pictures.
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up photo ${place(active.id)} of ${pictures.length}.`,
    onDragOver: ({ active, over }) =>
      over ? `Photo ${place(active.id)} is now in position ${place(over.id)} of ${pictures.length}.` : undefined,
    onDragEnd: ({ active, over }) =>
      `Photo ${place(active.id)} was moved to position ${place(over?.id ?? active.id)} of ${pictures.length}.`,
    onDragCancel: ({ active }) => `Photo ${place(active.id)} stays where it was.`,
  }

  function endDrag({ active, over }: DragEndEvent) {
    if (!over || active.id === over.id) return
    onMove(place(active.id) - 1, place(over.id) - 1)
  }

  return (
    <DndContext
      id="images-order"
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements }}
      onDragEnd={endDrag}
    >
      <SortableContext items={pictures} strategy={rectSortingStrategy}>
        {pictures.length > 0 ? (
          <ul className="grid grid-cols-3 gap-2 md:grid-cols-5">
            {pictures.map((picture, position) => (
              <ImageTile
                key={picture.id}
                picture={picture}
                state={states.get(picture.id)}
                position={position}
                count={pictures.length}
                onMove={(to) => onMove(position, to)}
                onRemove={() => onRemove(picture.id)}
                onCrop={() => onCrop(picture)}
              />
            ))}
          </ul>
        ) : null}
      </SortableContext>
    </DndContext>
  )
}
