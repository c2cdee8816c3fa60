import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dayMs } from '../../../../shared/time.ts'
import { Action } from '../form.tsx'
import { to } from '../route.ts'
import { attempt } from '../service.ts'
import { type Post, zone } from '../store.ts'
import { dayIn } from '../time.ts'
import { cancelPosts, deletePosts } from './cancel.ts'
import { titleOf } from './group.tsx'
import { momentOfGroup, moveGroups } from './move.ts'
import { type Group, readGroup } from './read.ts'

/** The selected groups. A group that has posts on two days is selected on each. */
const selected = signal<ReadonlyMap<string, Group>>(new Map())
/** The groups that the calendar shows, in order. */
let shown: readonly Group[] = []
/** Where a range begins. */
let anchor = ''

const dayOfGroup = (group: Group): string => dayIn(momentOfGroup(group), zone.value)
const keyOf = (group: Group): string => `${group.groupId} ${dayOfGroup(group)}`

/** What can be selected from now on. */
export const offer = (groups: readonly Group[]): void => {
  shown = groups
}

export const isSelected = (group: Group): boolean => selected.value.has(keyOf(group))

/** Ends the selection. A focus that was in its bar goes back to the calendar. */
export const clearSelection = (): void => {
  if (document.activeElement?.closest('.selection'))
    document.querySelector<HTMLElement>('.calendar :is(td[tabindex="0"], .list a)')?.focus({ preventScroll: true })
  selected.value = new Map()
}

const select = (groups: readonly Group[]): void => {
  selected.value = new Map([...selected.value, ...groups.map((group) => [keyOf(group), group] as const)])
}

const toggle = (group: Group): void => {
  const next = new Map(selected.value)
  anchor = keyOf(group)
  if (!next.delete(anchor)) next.set(anchor, group)
  selected.value = next
}

/** Selects a group, or with Shift all up to it. */
const selectTo = (group: Group, isRange: boolean): void => {
  const keys = shown.map(keyOf)
  const ends = [keys.indexOf(anchor), keys.indexOf(keyOf(group))].sort((a, b) => a - b)
  const [from = -1, last = -1] = ends
  if (isRange && from >= 0) select(shown.slice(from, last + 1))
  else toggle(group)
}

/** How the link of a group is selected: with Ctrl and a click, with X, or with all that are shown. */
export const selects = (group: Group) => ({
  onClick(event: MouseEvent) {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    toggle(group)
  },
  onKeyDown(event: KeyboardEvent) {
    const isCommand = event.ctrlKey || event.metaKey
    const key = event.key.toLowerCase()
    if (key === 'a' && isCommand) select(shown)
    else if (key === 'x' && !isCommand) toggle(group)
    else return
    event.preventDefault()
  },
})

export const Box = ({ group }: { group: Group }) => (
  <input
    type="checkbox"
    aria-label={`Select ${titleOf(group).slice(0, 80)}`}
    checked={isSelected(group)}
    onClick={({ shiftKey }) => selectTo(group, shiftKey)}
    onKeyDown={selects(group).onKeyDown}
  />
)

/** What the selected groups are now. */
const groupsNow = (): Group[] =>
  [...selected.value].map(([key, group]) => shown.find((other) => keyOf(other) === key) ?? group)

const withPosts = async (call: (posts: readonly Post[]) => Promise<boolean>): Promise<void> => {
  const posts = await attempt(async () => (await Promise.all(groupsNow().map(readGroup))).flat())
  if (posts !== undefined && (await call(posts))) clearSelection()
}

const move = async (days: number): Promise<void> => {
  if (await moveGroups(groupsNow(), days)) clearSelection()
}

/** What can be done with the selected groups. */
export const Selection = () => {
  useEffect(() => clearSelection, [])
  const groups = [...selected.value.values()]
  const [only] = groups
  const count = groups.length
  const first = groups.map(dayOfGroup).sort().at(0) ?? ''
  return (
    <div class={count === 0 ? '' : 'selection'}>
      <span role="status">{count > 0 && `${count} selected`}</span>
      {only !== undefined && (
        <>
          <button type="button" onClick={() => select(shown)}>
            Select all
          </button>
          <button type="button" onClick={() => move(-1)}>
            −1 day
          </button>
          <button type="button" onClick={() => move(1)}>
            +1 day
          </button>
          <Action
            name="Move"
            of="the selected posts"
            button="Move"
            fields={[{ name: 'day', label: 'Day of the first post', type: 'date', value: first }]}
            call={async ({ text }) => text('day')}
            onDone={(day) => void move((Date.parse(day) - Date.parse(first)) / dayMs)}
          />
          {count === 1 && (
            <a class="button" href={to('compose', { copy: only.posts[0]?.id })}>
              Duplicate
            </a>
          )}
          <button type="button" onClick={() => withPosts(cancelPosts)}>
            Cancel posts
          </button>
          <Action
            name="Delete"
            of="the selected posts"
            text="They’re deleted from Social Publishing. Live posts stay on their platforms."
            button="Delete"
            call={async () => true}
            onDone={() => void withPosts(deletePosts)}
          />
          <button type="button" onClick={clearSelection}>
            Clear
          </button>
        </>
      )}
    </div>
  )
}
