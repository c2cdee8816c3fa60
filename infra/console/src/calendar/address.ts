import { go, route, to } from '../route.ts'
import { zone } from '../store.ts'
import { addDays, addMonths, dayIn, now, startOfMonth, startOfWeek } from '../time.ts'
import type { Filters } from './read.ts'

export const modes = ['month', 'week', 'day', 'list'] as const
export type Mode = (typeof modes)[number]

/** The days that a grid shows around a day, and how many groups of each. */
export const rangeOf = (mode: Mode, day: string) => {
  if (mode === 'week') return { from: startOfWeek(day), to: addDays(startOfWeek(day), 6), perDay: 10 }
  const last = addDays(startOfWeek(addDays(addMonths(day, 1), -1)), 6)
  return { from: startOfWeek(startOfMonth(day)), to: last, perDay: 3 }
}

/** What the buttons of a mode go over: a list has no end, and goes on by weeks. */
export const unitOf = (mode: Mode) => (mode === 'list' ? 'week' : mode)

/** What the address says is shown, and the address of the calendar with other values. */
export const readView = () => {
  const { query } = route.value
  const today = dayIn(now(), zone.value)
  // A month does not fit on a phone: there, the list of days is the calendar.
  const usual: Mode = matchMedia('(max-width: 700px)').matches ? 'list' : 'month'
  const mode = modes.find((name) => name === query.get('mode')) ?? usual
  const named = query.get('day') ?? ''
  const day = /^\d{4}-\d{2}-\d{2}$/.test(named) && !Number.isNaN(Date.parse(named)) ? named : today
  const filters: Filters = {
    account: query.get('account') ?? '',
    status: query.get('status') ?? '',
    q: query.get('q') ?? '',
  }
  const here = (values: Record<string, string | undefined>) => to('calendar', { mode, day, ...filters, ...values })
  return { today, mode, day, filters, here }
}

export type Shown = ReturnType<typeof readView>

/** Shows the next period, or the one before it. */
export const step = (by: 1 | -1): void => {
  const { mode, day, here } = readView()
  const unit = unitOf(mode)
  go(here({ day: unit === 'month' ? addMonths(day, by) : addDays(day, unit === 'week' ? 7 * by : by) }))
}
