import { signal } from '@preact/signals'
import { go, route, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, changes, type Post, zone } from '../store.ts'
import { addDays, clockIn, clockOf, dayIn, formatMoment, momentOf } from '../time.ts'

/** The post that is being moved, and where it would go. */
export const moving = signal<{ post: Post; day: string; time: string } | undefined>(undefined)
/** What a screen reader says while a post is moved. */
export const announced = signal('')

export const momentOfPost = ({ scheduledAt, createdAt }: Post): number => Date.parse(scheduledAt ?? createdAt)

const announce = (): void => {
  if (moving.value === undefined) return
  const { day, time } = moving.value
  const momentMs = momentOf(`${day}T${time}`, zone.value)
  announced.value =
    momentMs === undefined
      ? `The clocks skip ${time} on this day.`
      : `Move to ${formatMoment(momentMs, zone.value)}. Press Enter to move the post, or Escape to leave it.`
}

/** Begins to move a post with the keyboard. */
export const beginMove = (post: Post): void => {
  if (post.status !== 'scheduled') {
    say('Only scheduled posts can be moved.', true)
    return
  }
  const momentMs = momentOfPost(post)
  moving.value = { post, day: dayIn(momentMs, zone.value), time: clockIn(momentMs, zone.value) }
  announce()
}

const shifted = (time: string, minutes: number) => {
  const [hours = 0, rest = 0] = time.split(':').map(Number)
  return clockOf((hours * 60 + rest + minutes + 1440) % 1440)
}

/** Moves a scheduled post to another time; the service has the last word. */
export const reschedule = async (post: Post, momentMs: number): Promise<boolean> => {
  const moved = await attempt(() => api().posts.reschedule(post.id, { scheduledAt: new Date(momentMs).toISOString() }))
  if (moved === undefined) return false
  say(`Moved to ${formatMoment(momentMs, zone.value)}.`)
  changes.value += 1
  return true
}

/** Moves a post to another day, at the same time of day or in another hour. */
const moveTo = async (post: Post, day: string, hour?: number): Promise<void> => {
  const own = clockIn(momentOfPost(post), zone.value)
  const time = hour === undefined ? own : clockOf(hour * 60 + Number(own.slice(3)))
  const momentMs = momentOf(`${day}T${time}`, zone.value)
  if (momentMs === undefined) say(`The clocks skip ${time} on this day.`, true)
  else if (time !== own || day !== dayIn(momentOfPost(post), zone.value)) await reschedule(post, momentMs)
}

/** A drag that began on another page has no post. */
let dragged: Post | undefined

/** The post that is dragged from now on, or none. */
export const drag = (post: Post | undefined): void => {
  dragged = post
}

/** Makes an element a place to which a post is dragged: a day, or an hour of it. */
export const dropAt = (setIsOver: (isOver: boolean) => void, day: string, hour?: number) => ({
  onDragOver(event: DragEvent) {
    if (dragged === undefined) return
    event.preventDefault()
    setIsOver(true)
  },
  onDragLeave: () => setIsOver(false),
  onDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    if (dragged !== undefined) void moveTo(dragged, day, hour)
    dragged = undefined
  },
})

/** How many days an arrow goes. */
export const daysOfKey: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
/** How many minutes an arrow goes with Shift. */
const minutesOfKey: Readonly<Record<string, number>> = { ArrowUp: -15, ArrowDown: 15, ArrowLeft: -60, ArrowRight: 60 }

/** Where the post goes that was moved by keys: the calendar shows that day, and the link of the post takes the focus. */
let landing: { id: string; momentMs: number } | undefined

const rescheduleByKeys = async (post: Post, momentMs: number): Promise<void> => {
  if (!(await reschedule(post, momentMs))) return
  landing = { id: post.id, momentMs }
  const day = dayIn(momentMs, zone.value)
  go(to('calendar', { ...Object.fromEntries(route.value.query), day }), { replace: true })
}

/** Gives the focus to the link of a post that has just been moved by keys. */
export const land = (link: HTMLElement | null, post: Post): void => {
  if (link === null || landing?.id !== post.id || landing.momentMs !== momentOfPost(post)) return
  landing = undefined
  // Its cell first, which joins the order of Tab.
  link.closest('td')?.focus()
  link.focus()
}

/** A key while a post is moved: arrows by day, with Shift by time, Enter and Escape. Returns whether it was one. */
export const keyWhileMoving = (event: KeyboardEvent): boolean => {
  const now = moving.value
  if (now === undefined) return false
  const [days, minutes] = [daysOfKey[event.key], minutesOfKey[event.key]]
  if (event.key === 'Escape') {
    moving.value = undefined
    announced.value = 'The post stays where it was.'
  } else if (event.key === 'Enter') {
    moving.value = undefined
    announced.value = ''
    const momentMs = momentOf(`${now.day}T${now.time}`, zone.value)
    if (momentMs === undefined) say(`The clocks skip ${now.time} on this day.`, true)
    else void rescheduleByKeys(now.post, momentMs)
  } else if (event.shiftKey && minutes !== undefined) {
    moving.value = { ...now, time: shifted(now.time, minutes) }
    announce()
  } else if (days !== undefined) {
    moving.value = { ...now, day: addDays(now.day, days) }
    announce()
  } else return false
  event.preventDefault()
  event.stopPropagation()
  return true
}
