/**
 * @param {number[]} values in any order
 * @param {number} share from 0 to 1: 0.5 is the median, 1 the highest
 * @returns {number} NaN without values
 */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
