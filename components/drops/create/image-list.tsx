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

type ImageListProps = {
  pictures: PickedPicture[]
  onMove: (from: number, to: number) => void
  onRemove: (id: string) => void
}

/** Shows the pictures in order. Mouse, touch and keyboard can change the order. */
export function ImageList({ pictures, onMove, onRemove }: ImageListProps) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 8 } }),
    // Dragging starts after a short press, so that a thumb that scrolls the page moves no picture.
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  const place = (id: string | number) => pictures.findIndex((picture) => picture.id === id) + 1
  // Without these texts the drag library would announce the ids of the pictures.
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up picture ${place(active.id)} of ${pictures.length}.`,
    onDragOver: ({ active, over }) =>
      over ? `Picture ${place(active.id)} is now in place ${place(over.id)} of ${pictures.length}.` : undefined,
    onDragEnd: ({ active, over }) =>
      `Picture ${place(active.id)} was put in place ${place(over?.id ?? active.id)} of ${pictures.length}.`,
    onDragCancel: ({ active }) => `Picture ${place(active.id)} stays in its place.`,
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
                position={position}
                count={pictures.length}
                onMove={(to) => onMove(position, to)}
                onRemove={() => onRemove(picture.id)}
              />
            ))}
          </ul>
        ) : null}
      </SortableContext>
    </DndContext>
  )
}
