import 'server-only'
import { encode } from 'uqr'

export type QrSquares = { size: number; path: string }

/**
 * Encodes a string as a QR code. The path draws the dark squares, and the size includes the blank border of four
 * squares that the standard for QR codes (ISO/IEC 18004) demands.
 */
export function toQrSquares(text: string): QrSquares {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
