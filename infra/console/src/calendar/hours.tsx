import { useEffect, useRef, useState } from 'preact/hooks'
import { Loading } from '../parts.tsx'
import { go, to } from '../route.ts'
import { zone } from '../store.ts'
import { addDays, clockIn, clockOf, dayIn, formatDay, momentOf, now } from '../time.ts'
import { Chip } from './grid.tsx'
import { type RangeProps, useRange } from './list.tsx'
import { momentOfPost } from './moment.ts'
import { dropAt, keyWhileMoving, moving } from './move.ts'
import { groupsOf } from './read.ts'
import { offer } from './selection.tsx'

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour)

/** Where the keys go: hours up and down, days to the sides. */
const hoursOfKey: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Home: -24, End: 24 }
const daysOfKey: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** The hours of a day, as a grid of one column: one hour is in the tab order, arrows go to the others. */
export const Hours = ({ day, filters }: { day: string; filters: RangeProps['filters'] }) => {
  const read = useRange({ from: day, to: day, filters })
  const [nowMs, setNowMs] = useState(now)
  const [over, setOver] = useState<number>()
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(
    day === dayIn(nowMs, zone.value) ? Number(clockIn(nowMs, zone.value).slice(0, 2)) : 9,
  )
  /** The hour to which a key goes: a pending effect of an earlier hour must not take the focus. */
  const next = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (next.current !== current || read === undefined) return
    next.current = undefined
    grid.current?.querySelector<HTMLElement>(`[data-hour="${current}"]`)?.focus()
  }, [current, day, read === undefined])
  // A line shows the time, minute by minute.
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(now()), 60_000 - (now() % 60_000))
    return () => clearTimeout(timer)
  }, [nowMs])
  useEffect(() => {
    if (grid.current?.contains(document.activeElement)) return
    const first = grid.current?.querySelector('.now') ?? grid.current?.querySelector('.chip')
    first?.scrollIntoView({ block: 'center' })
  }, [day, read === undefined])
  if (read === undefined) return <Loading />
  offer(groupsOf(read.posts))
  const byHour = Map.groupBy(read.posts, (post) => Number(clockIn(momentOfPost(post), zone.value).slice(0, 2)))

  const onKeyDown = (event: KeyboardEvent, hour: number, address: string | undefined) => {
    if (keyWhileMoving(event) || event.target !== event.currentTarget) return
    const [hours, days] = [hoursOfKey[event.key], daysOfKey[event.key]]
    if ((event.key === 'Enter' || event.key === ' ') && address !== undefined) go(address)
    else if (hours !== undefined) {
      next.current = Math.min(23, Math.max(0, hour + hours))
      setCurrent(next.current)
    } else if (days !== undefined) {
      next.current = hour
      go(to('calendar', { mode: 'day', day: addDays(day, days) }), { replace: true })
    } else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the same grid as that of days (grid.tsx)
    <table class="grid hours" role="grid" aria-label={`Posts of ${formatDay(day)} by hour`} ref={grid}>
      <tbody>
        {hoursOfDay.map((hour) => {
          const time = clockOf(hour * 60)
          const posts = byHour.get(hour) ?? []
          const startMs = momentOf(`${day}T${time}`, zone.value)
          // The current hour has time left for a post.
          const isOpen = startMs !== undefined && startMs + 3_600_000 > nowMs
          const isRunning = isOpen && startMs <= nowMs
          const address = isOpen ? to('compose', isRunning ? { day } : { day, time }) : undefined
          const isMovedHere = moving.value?.day === day && Number(moving.value.time.slice(0, 2)) === hour
          const isTarget = isMovedHere || over === hour
          return (
            <tr key={hour}>
              <th scope="row">{time}</th>
              <td
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of that grid
                role="gridcell"
                data-hour={hour}
                class={[isRunning && 'today', isTarget && 'target'].filter(Boolean).join(' ')}
                tabIndex={hour === current ? 0 : -1}
                aria-current={isRunning ? 'time' : undefined}
                onFocus={() => setCurrent(hour)}
                onKeyDown={(event) => onKeyDown(event, hour, address)}
                {...dropAt((isOver) => setOver(isOver ? hour : undefined), day, hour)}
              >
                {isRunning && (
                  // The script sets the style: the policy of the page lets no attribute do that.
                  <span class="now" style={{ top: `${((nowMs - startMs) / 3_600_000) * 100}%` }} />
                )}
                <span class="unseen">
                  {time}, {posts.length} {posts.length === 1 ? 'post' : 'posts'}
                </span>
                {groupsOf(posts).map((group) => (
                  <Chip key={group.groupId} group={group} isReachable={hour === current} />
                ))}
                {posts.length === 0 && address !== undefined && (
                  <a class="add" href={address} tabIndex={hour === current ? 0 : -1}>
                    New post{isRunning ? '' : ` at ${time}`}
                  </a>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
