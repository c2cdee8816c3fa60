import { useEffect, useRef, useState } from 'preact/hooks'
import { Mark } from '../parts.tsx'
import { go, to } from '../route.ts'
import { zone } from '../store.ts'
import { addDays, clockIn, formatDay, weekdayOf } from '../time.ts'
import { addressOf, statusOf, Targets, titleOf } from './group.tsx'
import { beginMove, daysOfKey, drag, dropAt, isMovable, keyWhileMoving, land, momentOfGroup, moving } from './move.ts'
import type { Day, Group } from './read.ts'
import { isSelected, offer, selects } from './selection.tsx'

interface GridProps {
  /** Empty while they are read. */
  days: readonly Day[]
  from: string
  to: string
  today: string
  /** `2026-12`: days of other months are dimmed. */
  month: string | undefined
  /** The day that has the focus at first. */
  focus: string
  onOpen: (day: string) => void
}

export const Chip = ({ group, isReachable }: { group: Group; isReachable: boolean }) => {
  const status = statusOf(group)
  const { onClick, onKeyDown } = selects(group)
  return (
    <a
      ref={(link) => land(link, group)}
      class={`chip ${status} ${isSelected(group) ? 'selected' : ''}`}
      href={addressOf(group)}
      tabIndex={isReachable ? 0 : -1}
      draggable={isMovable(group)}
      onDragStart={() => drag(group)}
      onDragEnd={() => drag(undefined)}
      onKeyDown={(event) => {
        if (moving.value !== undefined) keyWhileMoving(event)
        else if (event.key === 'm' || event.key === 'M') {
          event.preventDefault()
          beginMove(group)
        } else onKeyDown(event)
      }}
      onClick={onClick}
    >
      <Mark status={status} />
      <span class="unseen">
        {status}, {isSelected(group) ? 'selected, ' : ''}
      </span>
      <Targets group={group} />
      <span class="time">{clockIn(momentOfGroup(group), zone.value)}</span>
      <span class="text">{titleOf(group).slice(0, 80)}</span>
    </a>
  )
}

/** Days in weeks, as a grid of the WAI-ARIA practices: one day is in the tab order, arrows go to the others. */
export const Grid = ({ days, from, to: last, today, month, focus, onOpen }: GridProps) => {
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(focus)
  const [over, setOver] = useState<string>()
  /** The day to which a key goes: a pending effect of an earlier day must not take the focus. */
  const next = useRef<string | undefined>(undefined)
  const shown = current >= from && current <= last ? current : focus
  offer(days.flatMap(({ groups }) => groups))
  const byDate = new Map(days.map((day) => [day.date, day]))
  const weeks: string[][] = []
  for (let date = from; date <= last; date = addDays(date, 1)) {
    if (weekdayOf(date) === 0 || weeks.length === 0) weeks.push([])
    weeks.at(-1)?.push(date)
  }

  useEffect(() => {
    if (next.current !== shown) return
    next.current = undefined
    grid.current?.querySelector<HTMLElement>(`[data-day="${shown}"]`)?.focus()
  }, [shown, from])

  const onKeyDown = (event: KeyboardEvent, date: string) => {
    if (keyWhileMoving(event) || event.target !== event.currentTarget) return
    const by = daysOfKey[event.key]
    if (event.key === 'Enter' || event.key === ' ') onOpen(date)
    else if (by !== undefined) {
      const day = addDays(date, by)
      next.current = day
      setCurrent(day)
      if (day < from || day > last)
        go(to('calendar', { mode: month === undefined ? 'week' : 'month', day }), { replace: true })
    } else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is the grid of the WAI-ARIA practices (APG, "Date Picker Dialog")
    <table class={`grid ${month === undefined ? 'week' : 'month'}`} role="grid" aria-label="Posts by day" ref={grid}>
      <thead>
        <tr>
          {weeks[0]?.map((date) => (
            <th key={date} scope="col" abbr={formatDay(date, { weekday: 'long' })}>
              {formatDay(date, { weekday: 'short' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => {
              const { count = 0, failed = 0, groups = [] } = byDate.get(date) ?? {}
              const hidden = groups.reduce((left, group) => left - group.count, count)
              const isTarget = moving.value?.day === date || over === date
              return (
                <td
                  key={date}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of that grid
                  role="gridcell"
                  data-day={date}
                  class={[month && !date.startsWith(month) && 'other', date === today && 'today', isTarget && 'target']
                    .filter(Boolean)
                    .join(' ')}
                  tabIndex={date === shown ? 0 : -1}
                  aria-current={date === today ? 'date' : undefined}
                  onFocus={() => setCurrent(date)}
                  onKeyDown={(event) => onKeyDown(event, date)}
                  onClick={({ target }) => {
                    // A click on a chip or a button is theirs.
                    if (target instanceof Element && target.closest('a, button') !== null) return
                    if (date < today) onOpen(date)
                    else go(to('compose', { day: date }))
                  }}
                  {...dropAt((isOver) => setOver(isOver ? date : undefined), date)}
                >
                  <span class="number" aria-hidden="true">
                    {Number(date.slice(8))}
                  </span>
                  <span class="unseen">
                    {formatDay(date)}, {count} {count === 1 ? 'post' : 'posts'}
                    {failed > 0 ? `, ${failed} failed` : ''}
                  </span>
                  {groups.map((group) => (
                    <Chip key={group.groupId} group={group} isReachable={date === shown} />
                  ))}
                  {hidden > 0 && (
                    <button type="button" class="more" tabIndex={date === shown ? 0 : -1} onClick={() => onOpen(date)}>
                      {hidden} more
                    </button>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
