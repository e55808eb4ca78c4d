import 'server-only'
import Bowser from 'bowser'

/** What a person would call the device: "Chrome on Android". */
export function deviceLabel(userAgent: string): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  // What Bowser does not know it names with an empty string.
  const name = browser.name || 'Unknown browser'
  return os.name ? `${name} on ${os.name}` : name
}
