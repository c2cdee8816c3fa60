import { tokenPattern } from '../../shared/identity/token.ts'
import type { Kit } from '../support/start.ts'

/** A page as a visitor sees it. */
export interface Seen {
  status: number
  headers: Headers
  text: string
  /** Where a redirect leads, from the root. */
  to: string | undefined
  heading: string | undefined
}

const unescapes: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text of a page as a reader sees it. */
export const unescaped = (markup: string): string =>
  markup.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => unescapes[entity] ?? entity)

/** The values of the hidden fields in the first form that leads to an address. */
export const hiddenIn = ({ text }: Seen, action: string): Record<string, string> => {
  const [form = ''] = new RegExp(`<form method="post" action="${action}">[\\s\\S]*?</form>`).exec(text) ?? []
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

/** A minimal browser: keeps the session cookie, follows no redirects, and sends Sec-Fetch-Site with forms. */
export const browserOf = ({ url }: Pick<Kit, 'url'>, token?: string) => {
  let cookie = token === undefined ? undefined : `svc_session=${token}`
  const load = async (path: string, init: RequestInit = {}): Promise<Seen> => {
    const headers = new Headers(init.headers)
    if (cookie !== undefined && !headers.has('Cookie')) headers.set('Cookie', cookie)
    const answer = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' })
    const [pair = ''] = answer.headers.get('Set-Cookie')?.split(';') ?? []
    if (pair !== '') cookie = pair.endsWith('=') ? undefined : pair
    const text = await answer.text()
    const location = answer.headers.get('Location')
    const next = location === null ? undefined : new URL(location, new URL(path, url))
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      to: next && (next.origin === new URL(url).origin ? next.pathname + next.search : next.href),
      heading: /<h1>([^<]*)<\/h1>/.exec(text)?.[1],
    }
  }
  const open = (path: string, headers: Record<string, string> = {}) => load(path, { headers })
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    load(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
  /** Fills in the form of a page and sends it. */
  const submit = (seen: Seen, action: string, fields: Record<string, string> = {}) =>
    send(`/${action}`, { ...hiddenIn(seen, action), ...fields })
  return { open, send, submit, token: () => tokenPattern.exec(cookie?.split('=')[1] ?? '')?.[0] }
}
