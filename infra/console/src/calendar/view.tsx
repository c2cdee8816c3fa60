import { useState } from 'preact/hooks'
import { isSheetOpen, menuText } from '../dialog.tsx'
import { Empty, Filter, Loading, wordOf } from '../parts.tsx'
import { go, to } from '../route.ts'
import { accounts, changes, nameOf, workspace, zone } from '../store.ts'
import { formatDay, ownZone, startOfWeek } from '../time.ts'
import { useReadEffect } from '../use-read.ts'
import { type Mode, modes, rangeOf, readView, type Shown, step, unitOf } from './address.ts'
import { DayDialog } from './day.tsx'
import { Grid } from './grid.tsx'
import { Hours } from './hours.tsx'
import { isPending, List, pauseMs } from './list.tsx'
import { announced } from './move.ts'
import { type Day, readDays } from './read.ts'
import { Selection } from './selection.tsx'

const titleOf = (mode: Mode, day: string): string => {
  if (mode === 'day') return formatDay(day)
  if (mode === 'week') return `Week of ${formatDay(startOfWeek(day), { dateStyle: 'long' })}`
  if (mode === 'list') return `From ${formatDay(day, { dateStyle: 'long' })}`
  return formatDay(day, { month: 'long', year: 'numeric' })
}

const Bar = ({ today, mode, day, here }: Shown) => {
  const unit = unitOf(mode)
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
      <nav class="group" aria-label="Calendar view">
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
      label="Status"
      all="All statuses"
      choices={['scheduled', 'published', 'failed', 'cancelled'].map((id) => ({ id, name: wordOf(id) }))}
      value={filters.status}
      onChange={(status) => go(here({ status }), { replace: true })}
    />
    <label>
      <span class="unseen">Text</span>
      <input
        type="search"
        placeholder="Filter by text"
        maxLength={200}
        value={filters.q}
        onInput={({ currentTarget }) => go(here({ q: currentTarget.value }), { replace: true })}
      />
    </label>
    <button
      type="button"
      class="plain"
      onClick={() => {
        menuText.value = filters.q
      }}
    >
      Search all posts
    </button>
    <p class="soft zone">
      Times in {zone.value}
      {ownZone === zone.value ? '' : `; yours is ${ownZone}`}
    </p>
  </search>
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
        <List key={JSON.stringify([day, filters])} from={day} filters={filters} />
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
      <button
        type="button"
        class="plain"
        onClick={() => {
          isSheetOpen.value = true
        }}
      >
        Shortcuts (?)
      </button>
      <Selection />
      <p class="announced" role="status" aria-live="assertive">
        {announced.value}
      </p>
      {open !== undefined && <DayDialog day={open} filters={filters} onClose={() => setOpen(undefined)} />}
    </section>
  )
}
