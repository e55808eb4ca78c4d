/**
 * @param {number[]} values in any order
 * @param {number} fraction from 0 to 1: 0.5 is the median, 1 is the highest value
 * @returns {number} the percentile, or NaN without values
 */
export function percentile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN
}
