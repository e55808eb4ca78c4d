import fc from 'fast-check'
import { type Crop, croppedSize, MAX_ANGLE, MAX_ZOOM, moved, shapeOf, uncropped, withinPhoto } from './draw-crop'

const photo = { width: 4000, height: 3000 }

test('a photo keeps its size unless it is turned, wider than the limit, or cropped to a shape', () => {
  expect(croppedSize(uncropped, photo, 5000)).toEqual(photo)
  expect(croppedSize({ ...uncropped, turns: 1 }, photo, 5000)).toEqual({ width: 3000, height: 4000 })
  expect(croppedSize(uncropped, photo, 1600)).toEqual({ width: 1600, height: 1200 })
  expect(croppedSize({ ...uncropped, shape: 1 }, photo, 5000)).toEqual({ width: 3000, height: 3000 })
})

test('a photo that is moved to the right shows more of its left part, even after a quarter turn', () => {
  const square: Crop = { ...uncropped, shape: 1, zoom: 2 }
  const frame = { width: 300, height: 300 }
  expect(moved(square, photo, frame, { x: 30, y: 0 })).toMatchObject({ x: 0.5 - 150 / 4000, y: 0.5 })
  const turned = moved({ ...square, turns: 1 }, photo, frame, { x: 30, y: 0 })
  expect(turned.x).toBeCloseTo(0.5)
  expect(turned.y).toBeCloseTo(0.5 + 150 / 3000)
})

test('no corner of the frame is ever outside the photo', () => {
  const crops = fc.record({
    shape: fc.constantFrom(null, 1, 0.8, 16 / 9),
    turns: fc.integer({ min: 0, max: 3 }),
    angle: fc.double({ min: -MAX_ANGLE, max: MAX_ANGLE, noNaN: true }),
    zoom: fc.double({ min: 1, max: MAX_ZOOM, noNaN: true }),
    x: fc.double({ min: -1, max: 2, noNaN: true }),
    y: fc.double({ min: -1, max: 2, noNaN: true }),
  })
  fc.assert(
    fc.property(crops, (wild) => {
      const crop = withinPhoto(wild, photo)
      const size = croppedSize(crop, photo, 1e9)
      const shape = shapeOf(crop, photo)
      const theta = ((crop.turns * 90 + crop.angle) * Math.PI) / 180
      // The corners of the frame in pixels of the photo. Sizes are rounded to a pixel.
      for (const [right, below] of [
        [-0.5, -0.5],
        [0.5, -0.5],
        [-0.5, 0.5],
        [0.5, 0.5],
      ] as const) {
        const [across, down] = [right * size.width, (below * size.width) / shape]
        const x = crop.x * photo.width + across * Math.cos(theta) + down * Math.sin(theta)
        const y = crop.y * photo.height - across * Math.sin(theta) + down * Math.cos(theta)
        expect(x).toBeGreaterThan(-2)
        expect(x).toBeLessThan(photo.width + 2)
        expect(y).toBeGreaterThan(-2)
        expect(y).toBeLessThan(photo.height + 2)
      }
    }),
  )
})
