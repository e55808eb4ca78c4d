/** Formats a whole number: 12000 becomes "12,000". It does not use Intl, for the same reason as `formatUsd`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
