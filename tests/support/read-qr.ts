// Reads a QR code (ISO/IEC 18004) that is drawn without errors, as on a screen. It knows versions 1 to 6 with error
// correction level M, which hold links of up to 106 bytes.

/** The bytes of data and the number of blocks of each version at level M. */
const CAPACITY = [
  [16, 1],
  [28, 1],
  [44, 1],
  [64, 2],
  [86, 2],
  [108, 4],
] as const
/** The border of blank squares that the standard demands. */
const BORDER = 4
/** The pattern that every written format is combined with, and the level M in its first two bits. */
const FORMAT_MASK = 0b101010000010010
const LEVEL_M = 0b00

const MASKS: ((y: number, x: number) => boolean)[] = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_y, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

/**
 * Reads the text of a QR code.
 * @param path the dark squares as an SVG path, such as `M4 4h1v1h-1z`
 * @param width the width of the drawing in squares, including the border
 */
export function readQr(path: string, width: number): string {
  const size = width - 2 * BORDER
  const capacity = CAPACITY[(size - 21) / 4]
  if (!capacity) throw new Error(`a QR code of ${size} squares is not known`)
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${Number(x)} ${Number(y)}`))
  const isDark = (y: number, x: number) => dark.has(`${x + BORDER} ${y + BORDER}`)
  const bytes = toBytes(readBits(isDark, size))
  const [length, blocks] = capacity
  // The bytes of the blocks take turns.
  const inOrder = Array.from({ length: blocks }, (_, block) =>
    bytes.slice(0, length).filter((_, at) => at % blocks === block),
  )
  return readBytes(inOrder.flat())
}

/** Reads the squares that hold data, from the lower right corner in columns of two, up and down in turns. */
function readBits(isDark: (y: number, x: number) => boolean, size: number): boolean[] {
  const format = [0, 1, 2, 3, 4, 5, 7].map((x) => isDark(8, x)).reduce((bits, bit) => bits * 2 + Number(bit), 0)
  const [level, mask] = [(format ^ (FORMAT_MASK >> 8)) >> 5, ((format ^ (FORMAT_MASK >> 8)) >> 2) & 7]
  if (level !== LEVEL_M) throw new Error(`the QR code has the level ${level}`)
  const isMasked = MASKS[mask]!
  const bits: boolean[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (!isReserved(y, x, size)) bits.push(isDark(y, x) !== isMasked(y, x))
      }
    }
    isUp = !isUp
  }
  return bits
}

/** Says whether a square belongs to a pattern or to the format and holds no data. */
function isReserved(y: number, x: number, size: number): boolean {
  const isAtCorner = (y < 9 && (x < 9 || x >= size - 8)) || (y >= size - 8 && x < 9)
  // From version 2 on, there is one alignment pattern of 5 × 5 squares.
  const isAligning = size > 21 && Math.abs(y - (size - 7)) <= 2 && Math.abs(x - (size - 7)) <= 2
  return isAtCorner || isAligning || y === 6 || x === 6
}

function toBytes(bits: boolean[]): number[] {
  const bytes: number[] = []
  for (let at = 0; at + 8 <= bits.length; at += 8) {
    bytes.push(bits.slice(at, at + 8).reduce((byte, bit) => byte * 2 + Number(bit), 0))
  }
  return bytes
}

/** Reads a segment of bytes: four bits for its kind, eight for its length, and then the text. */
function readBytes(data: number[]): string {
  const half = (at: number) => (at % 2 === 0 ? data[at / 2]! >> 4 : data[(at - 1) / 2]! & 15)
  if (half(0) !== 4) throw new Error(`the QR code holds a segment of the kind ${half(0)}`)
  const length = half(1) * 16 + half(2)
  const text = Array.from({ length }, (_, at) => half(3 + 2 * at) * 16 + half(4 + 2 * at))
  return Buffer.from(text).toString('utf8')
}
