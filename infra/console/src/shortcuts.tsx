import { signal } from '@preact/signals'
import { modes, readView, step } from './calendar/address.ts'
import { moving } from './calendar/move.ts'
import { clearSelection } from './calendar/selection.tsx'
import { Dialog, isSheetOpen, menuText, openDialogs } from './dialog.tsx'
import { Menu } from './menu.tsx'
import { Properties } from './parts.tsx'
import { go, route, to } from './route.ts'
import { undo } from './service.ts'

interface Shortcut {
  /** As people read it; the first key is the one that runs it. */
  keys: string
  name: string
  /** Where it is missing, the element that has the focus handles the key. */
  run?: () => unknown
}

/** Single keys can be turned off: speech input types them by accident (WCAG 2.1.4). */
const areKeysOn = signal(localStorage.getItem('shortcuts') !== 'off')

const search = () => {
  const field = document.querySelector<HTMLElement>('main [type=search]')
  if (field === null) menuText.value = ''
  else field.focus()
}

const stepInCalendar = (by: 1 | -1) => {
  if (route.value.view === 'calendar') step(by)
}

/** Shortcuts that the command menu lists as well. */
const commands: readonly Shortcut[] = [
  { keys: 'N', name: 'New post', run: () => go(to('compose')) },
  { keys: 'T', name: 'Today', run: () => go(readView().here({ day: undefined })) },
  ...modes.map((mode, n) => ({
    keys: String(n + 1),
    name: `Calendar: ${mode}`,
    run: () => go(readView().here({ mode })),
  })),
  {
    keys: '?',
    name: 'Keyboard shortcuts',
    run: () => {
      isSheetOpen.value = true
    },
  },
]

const shortcuts: readonly Shortcut[] = [
  ...commands,
  {
    keys: 'Ctrl+K',
    name: 'Search everything',
    run: () => {
      menuText.value = ''
    },
  },
  { keys: '/', name: 'Search this page', run: search },
  { keys: 'J', name: 'Next month, week, or day', run: () => stepInCalendar(1) },
  { keys: 'K', name: 'Previous month, week, or day', run: () => stepInCalendar(-1) },
  { keys: 'Z', name: 'Undo', run: undo },
  { keys: 'Ctrl+Z', name: 'Undo', run: undo },
  { keys: 'Arrow keys', name: 'Go to another day or hour' },
  { keys: 'Enter', name: 'Open the day, the hour, or the post' },
  { keys: 'X', name: 'Select the post' },
  { keys: 'Ctrl+A', name: 'Select all posts that you see' },
  { keys: 'Escape', name: 'Clear the selection', run: clearSelection },
  { keys: 'M', name: 'Move the post: arrow keys by day, with Shift by time, then Enter' },
]

/** A key as the list has it, in capitals; an empty text for combinations that belong to the browser. */
const keysOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string => {
  if (altKey || (shiftKey && /^\w$/.test(key))) return ''
  return `${ctrlKey || metaKey ? 'CTRL+' : ''}${key.toUpperCase()}`
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || openDialogs.value > 0 || moving.value !== undefined || isTyping(event)) return
  const keys = keysOf(event)
  const run = shortcuts.find((shortcut) => shortcut.keys.toUpperCase() === keys)?.run
  if (run === undefined || (keys.length === 1 && !areKeysOn.value)) return
  event.preventDefault()
  run()
})

const Sheet = () => (
  <Dialog
    title="Keyboard shortcuts"
    onClose={() => {
      isSheetOpen.value = false
    }}
  >
    <Properties values={Object.fromEntries(shortcuts.map(({ keys, name }) => [keys, name]))} />
    <label class="choice">
      <input
        type="checkbox"
        checked={areKeysOn.value}
        onChange={({ currentTarget }) => {
          areKeysOn.value = currentTarget.checked
          localStorage.setItem('shortcuts', areKeysOn.value ? 'on' : 'off')
        }}
      />
      Use shortcuts without Ctrl
    </label>
  </Dialog>
)

/** What shortcuts open over the page. */
export const Overlays = ({ views }: { views: Readonly<Record<string, string | undefined>> }) => (
  <>
    {isSheetOpen.value && <Sheet />}
    {menuText.value !== undefined && <Menu views={views} commands={commands} />}
  </>
)
