import 'server-only'
import Bowser from 'bowser'

/** Returns a readable name for a device, such as "Chrome on Android". */
export function deviceLabel(userAgent: string): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  // Bowser returns an empty string for what it does not recognize.
  const name = browser.name || 'Unknown browser'
  return os.name ? `${name} on ${os.name}` : name
}
