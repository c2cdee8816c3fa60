import { useEffect, useRef, useState } from 'preact/hooks'
import { accountName, Mark, textOf } from '../parts.tsx'
import { go, to } from '../route.ts'
import type { Post } from '../store.ts'
import { zone } from '../store.ts'
import { addDays, clockIn, formatDay, weekdayOf } from '../time.ts'
import { beginMove, daysOfKey, drag, dropAt, keyWhileMoving, land, momentOfPost, moving } from './move.ts'
import type { Day } from './read.ts'

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

export const Chip = ({ post, isReachable }: { post: Post; isReachable: boolean }) => (
  <a
    ref={(link) => land(link, post)}
    class={`chip ${post.status}`}
    href={to(`post/${post.id}`)}
    tabIndex={isReachable ? 0 : -1}
    draggable={post.status === 'scheduled'}
    onDragStart={() => drag(post)}
    onDragEnd={() => drag(undefined)}
    onKeyDown={(event) => {
      if (moving.value !== undefined) keyWhileMoving(event)
      else if (event.key === 'm' || event.key === 'M') {
        event.preventDefault()
        beginMove(post)
      }
    }}
  >
    <Mark status={post.status} />
    <span class="unseen">
      {post.status}, {accountName(post)},
    </span>
    <span class="time">{clockIn(momentOfPost(post), zone.value)}</span>
    <span class="text">{textOf(post).slice(0, 80)}</span>
  </a>
)

/** Days in weeks, as a grid of the WAI-ARIA practices: one day is in the tab order, arrows go to the others. */
export const Grid = ({ days, from, to: last, today, month, focus, onOpen }: GridProps) => {
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(focus)
  const [over, setOver] = useState<string>()
  /** The day to which a key goes: a pending effect of an earlier day must not take the focus. */
  const next = useRef<string | undefined>(undefined)
  const shown = current >= from && current <= last ? current : focus
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
              const { count = 0, posts = [] } = byDate.get(date) ?? {}
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
                  {...dropAt((isOver) => setOver(isOver ? date : undefined), date)}
                >
                  <span class="number" aria-hidden="true">
                    {Number(date.slice(8))}
                  </span>
                  <span class="unseen">
                    {formatDay(date)}, {count} {count === 1 ? 'post' : 'posts'}
                  </span>
                  {posts.map((post) => (
                    <Chip key={post.id} post={post} isReachable={date === shown} />
                  ))}
                  {count > posts.length && (
                    <button type="button" class="more" tabIndex={date === shown ? 0 : -1} onClick={() => onOpen(date)}>
                      {count - posts.length} more
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
