import { useState } from 'preact/hooks'
import { Empty, Filter, Loading } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { accounts, changes, nameOf, workspace, zone } from '../store.ts'
import { addDays, addMonths, dayIn, formatDay, now, ownZone, startOfMonth, startOfWeek } from '../time.ts'
import { useReadEffect } from '../use-read.ts'
import { DayDialog } from './day.tsx'
import { Grid } from './grid.tsx'
import { Hours } from './hours.tsx'
import { isPending, List, pauseMs } from './list.tsx'
import { announced } from './move.ts'
import { type Day, type Filters, readDays } from './read.ts'

const modes = ['month', 'week', 'day', 'list'] as const
type Mode = (typeof modes)[number]

/** The days that a mode shows around a day, and how many posts of each. */
const rangeOf = (mode: Mode, day: string) => {
  if (mode === 'week') return { from: startOfWeek(day), to: addDays(startOfWeek(day), 6), perDay: 10 }
  if (mode === 'day') return { from: day, to: day, perDay: 0 }
  const from = startOfWeek(startOfMonth(day))
  const last = addDays(startOfWeek(addDays(addMonths(day, 1), -1)), 6)
  if (mode === 'month') return { from, to: last, perDay: 3 }
  return { from: startOfMonth(day), to: addDays(addMonths(day, 1), -1), perDay: 0 }
}

/** What the buttons of a mode go over, and what its title says. */
const unitOf = (mode: Mode) => (mode === 'list' ? 'month' : mode)

const titleOf = (mode: Mode, day: string): string => {
  if (mode === 'day') return formatDay(day)
  if (mode === 'week') return `Week of ${formatDay(startOfWeek(day), { dateStyle: 'long' })}`
  return formatDay(day, { month: 'long', year: 'numeric' })
}

/** What the address says is shown, and the address of the calendar with other values. */
const readView = () => {
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

type Shown = ReturnType<typeof readView>

const Bar = ({ today, mode, day, here }: Shown) => {
  const unit = unitOf(mode)
  const step = (by: 1 | -1) =>
    go(here({ day: unit === 'month' ? addMonths(day, by) : addDays(day, unit === 'week' ? 7 * by : by) }))
  return (
    <header class="bar">
      <h1>{titleOf(mode, day)}</h1>
      <div class="group">
        <button type="button" onClick={() => step(-1)} aria-label={`Previous ${unit}`}>
          ‹
        </button>
        <a class="button" href={here({ day: today })}>
          Today
        </a>
        <button type="button" onClick={() => step(1)} aria-label={`Next ${unit}`}>
          ›
        </button>
      </div>
      <label class="jump">
        <span class="unseen">Go to a day</span>
        <input
          type="date"
          value={day}
          onChange={({ currentTarget }) => go(here({ day: currentTarget.value || today }))}
        />
      </label>
      <nav class="group" aria-label="How to show posts">
        {modes.map((name) => (
          <a key={name} class="button" href={here({ mode: name })} aria-current={name === mode ? 'true' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  )
}

const FilterBar = ({ filters, here }: Shown) => (
  <search class="filters">
    <Filter
      label="Account"
      all="All accounts"
      choices={accounts.value.map((account) => ({ id: account.id, name: nameOf(account) }))}
      value={filters.account}
      onChange={(account) => go(here({ account }), { replace: true })}
    />
    <Filter
      label="State"
      all="All states"
      choices={['scheduled', 'published', 'failed', 'cancelled'].map((id) => ({ id, name: id }))}
      value={filters.status}
      onChange={(status) => go(here({ status }), { replace: true })}
    />
    <label>
      <span class="unseen">Text</span>
      <input
        type="search"
        placeholder="Search texts"
        maxLength={200}
        value={filters.q}
        onChange={({ currentTarget }) => go(here({ q: currentTarget.value.trim() }), { replace: true })}
      />
    </label>
    <p class="soft zone">
      Times in {zone.value}
      {ownZone === zone.value ? '' : `; yours is ${ownZone}`}
    </p>
  </search>
)

const KeyHint = ({ mode }: Pick<Shown, 'mode'>) => (
  <p class="hint keys">
    With a keyboard: arrows go from {mode === 'day' ? 'hour to hour' : 'day to day'}, Enter{' '}
    {mode === 'day' ? 'writes a post for the hour' : 'opens a day'}. On a post, press M to move it: arrows by day, Shift
    and arrows by time.
  </p>
)

/** Whether a post that is shown is about to change. */
const isAnyPending = ({ days }: { days: readonly Day[] }): boolean =>
  days.some(({ groups }) => groups.some(({ posts }) => posts.some(isPending)))

/** The posts of a month, a week, or one after the other. */
export const CalendarView = () => {
  const view = readView()
  const { today, mode, day, filters } = view
  const [shown, setShown] = useState<{ days: readonly Day[]; isComplete: boolean }>()
  const [open, setOpen] = useState<string>()
  const range = rangeOf(mode, day)
  const isGrid = mode === 'month' || mode === 'week'

  useReadEffect(
    isGrid ? (signal) => readDays(range, filters, signal) : undefined,
    [workspace.value?.id, mode, range.from, filters.account, filters.status, filters.q, changes.value],
    (read) => setShown(read),
    { isPending: isAnyPending, pauseMs },
  )

  const days = shown?.days
  const isCurrent = days?.[0]?.date === range.from
  const total = days?.reduce((sum, { count }) => sum + count, 0) ?? 0

  return (
    <section class="calendar">
      <Bar {...view} />
      <FilterBar {...view} />
      {mode === 'list' ? (
        <List from={range.from} to={range.to} filters={filters} />
      ) : mode === 'day' ? (
        <Hours key={`${filters.account}${filters.status}`} day={day} filters={filters} />
      ) : days === undefined ? (
        <Loading />
      ) : (
        <Grid
          days={isCurrent ? days : []}
          month={mode === 'month' ? day.slice(0, 7) : undefined}
          today={today}
          from={range.from}
          to={range.to}
          focus={day}
          onOpen={setOpen}
        />
      )}
      {isGrid && isCurrent && shown?.isComplete === false && (
        <p class="soft">
          More than {total} posts match. Only the first {total} are counted.
        </p>
      )}
      {isGrid && isCurrent && total === 0 && (
        <Empty>
          No posts here. <a href={to('compose', { day: day < today ? today : day })}>Write one</a>.
        </Empty>
      )}
      <KeyHint mode={mode} />
      <p class="announced" role="status" aria-live="assertive">
        {announced.value}
      </p>
      {open !== undefined && <DayDialog day={open} filters={filters} onClose={() => setOpen(undefined)} />}
    </section>
  )
}
