import { signal } from '@preact/signals'
import './arrival.ts'

export interface Route {
  /** `calendar`, `post`, … */
  view: string
  /** What follows the view: the ID of a post, for example. */
  id: string
  query: URLSearchParams
}

const read = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [view = '', id = ''] = path.split('/')
  return { view: view === '' ? 'calendar' : view, id: decodeURIComponent(id), query: new URLSearchParams(query) }
}

/** Where the page is. The address has it behind `#`, so that every view has a link and the browser goes back. */
export const route = signal(read())

addEventListener('hashchange', () => {
  route.value = read()
})

type Values = Readonly<Record<string, string | undefined>>

/** The address of a view. */
export const to = (view: string, values: Values = {}): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value)
  return `#/${view}${query.size === 0 ? '' : `?${query}`}`
}

/** Goes to a view; `replace` leaves no entry in the history. */
export const go = (address: string, { replace = false } = {}): void => {
  if (replace) history.replaceState(null, '', address)
  else location.hash = address
  // The event comes later, and a second key can come before it.
  route.value = read()
}
