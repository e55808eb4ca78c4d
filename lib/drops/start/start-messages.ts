import { brand } from '@/lib/kernel/brand'
import { formatMoment } from '@/lib/kernel/time'
import { type DropState, isAhead } from '../rules'
import { MAX_DAYS_AHEAD, startProblem, readStartTime } from './start-rules'

/** The texts about a scheduled start (docs/product.md#scheduled-start). */
export const startTexts = {
  missing: 'Choose the date and time of the start.',
  invalid: "We can't read this date and time. Please write them like 2026-11-27T20:00.",
  skipped:
    "This time doesn't exist, because the clocks go forward and skip it. Choose a time an hour earlier or later.",
  past: 'This time has passed. Choose a later one, or start now.',
  tooFar: `A drop can start at most ${MAX_DAYS_AHEAD} days ahead. Choose an earlier day.`,
  afterPlan: 'Your Pro plan ends before this time. Choose an earlier start, or keep Pro in your settings.',
  fileFixed: "This drop has buyers, so their file can't be replaced anymore.",
  started: 'This drop has started. You can still change its description, units and limit per buyer, and add photos.',
  earlyOpen:
    'Early access has begun, so followers can already buy this drop. You can still change its description, units and limit per buyer, and add photos.',
  review: "If the review isn't done by then, the drop starts as soon as we approve it.",
  suspended:
    "Your account is suspended, so this drop won't start. Once the suspension ends, the drop starts with the time that's left.",
  takenOff: "An administrator took this drop off sale, so it won't start until they put it back.",
  whatIf: 'What if something comes up before the start?',
  /** The answers to that question. Each begins with what can happen. */
  answers: [
    "If a review isn't done by then, the drop starts as soon as we approve it, with its whole duration.",
    `If ${brand.name} is paused at that moment, the drop starts anyway and its time runs. We can give the time back afterwards.`,
    'If you leave Pro, the drop starts as planned, with the fee of your new plan.',
    "If your account is suspended, the drop doesn't start. Once the suspension ends, the drop starts with the time that's left.",
    'If the clocks change before the start, the drop still starts at the local time you typed.',
  ],
} as const

/**
 * Returns what the seller has to know about a drop whose start is still to come, or null. A scheduled drop that is
 * active and yet paused belongs to a suspended seller.
 */
export function startNote(
  drop: Parameters<typeof isAhead>[0] & { state: DropState; isActive: boolean; moderation: string },
): string | null {
  if (!isAhead(drop)) return null
  if (drop.moderation === 'review') return startTexts.review
  if (drop.state !== 'paused') return null
  return drop.isActive ? startTexts.suspended : startTexts.takenOff
}

/** Returns the refusal of a start after the end of a canceled Pro plan. */
export function afterPlanText(endsAt: Date, timeZone: string): string {
  return `Your Pro plan ends on ${formatMoment(endsAt, timeZone)}. Choose an earlier start, or keep Pro in your settings.`
}

/**
 * Returns what is wrong with a start that a seller typed, or null. It uses the browser's time, so the server checks the
 * start again.
 */
export function typedStartProblem(typed: string, timeZone: string, now: Date): string | null {
  if (typed === '') return startTexts.missing
  const start = readStartTime(typed, timeZone)
  if ('problem' in start) return startTexts[start.problem]
  const problem = startProblem(start.at, now)
  return problem ? startTexts[problem] : null
}

/** Says in the create form when the drop starts. `typed` is the start that the seller typed, or null for now. */
export function startLine(typed: string | null, timeZone: string): string {
  if (typed === null) return 'Starts now'
  const start = typed === '' ? null : readStartTime(typed, timeZone)
  return start && !('problem' in start) ? `Starts ${formatMoment(start.at, timeZone)}` : 'Starts later'
}
