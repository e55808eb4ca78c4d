import { formatCount } from '@/lib/kernel/format-count'
import { suggestedQuantity } from '../rules'
import type { Demand } from '../view'

/**
 * Says how many people are waiting for a drop, and for which of its choices: "84 waiting: 61 for a unit, 23 for the
 * next run. 60 want M, 10 want S." Empty if nobody is waiting.
 */
export function demandText(demand: Demand, isBeforeStart: boolean): string {
  const wanted = (demand.values ?? [])
    .map(({ value, waiting }) => `${formatCount(waiting)} ${waiting === 1 ? 'wants' : 'want'} ${value}`)
    .join(', ')
  return [waitingText(demand, isBeforeStart), wanted && `${wanted}.`].filter(Boolean).join(' ')
}

function waitingText({ unit, nextRun }: Demand, isBeforeStart: boolean): string {
  if (unit + nextRun === 0) return ''
  const total = `${formatCount(unit + nextRun)} waiting`
  if (isBeforeStart) return `${total} for the start.`
  if (nextRun === 0) return `${total} for a unit.`
  if (unit === 0) return `${total} for the next run.`
  return `${total}: ${formatCount(unit)} for a unit, ${formatCount(nextRun)} for the next run.`
}

const othersText = (units: number, isBesideChoices: boolean) =>
  isBesideChoices ? `${formatCount(units)} of any choice` : `${formatCount(units)} ${units === 1 ? 'unit' : 'units'}`

/**
 * Says how many units would suit the people who are waiting: "We suggest 80 units." or, for a drop with choices, "We
 * suggest M 60, S 10 and 14 of any choice." Empty if nobody is waiting.
 */
export function suggestionText({ unit, nextRun, values = [] }: Demand): string {
  const open = unit + nextRun - values.reduce((sum, { waiting }) => sum + waiting, 0)
  const chosen = values.map(({ value, waiting }) => `${value} ${formatCount(suggestedQuantity(waiting))}`).join(', ')
  const others = open > 0 ? othersText(suggestedQuantity(open), chosen !== '') : ''
  const units = [chosen, others].filter(Boolean).join(' and ')
  return units && `We suggest ${units}.`
}
