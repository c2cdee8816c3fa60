import { afterAll, beforeAll, expect, test } from 'vitest'
import { statesOf } from '../browser/states.ts'
import { type Kit, start } from '../support/start.ts'
import { browserOf, type Seen } from './test-browser.ts'

let kit: Kit
const seen = new Map<string, Seen & { url: string }>()

const browserHeaders = { Accept: 'text/html' }

beforeAll(async () => {
  kit = await start()
  for (const [name, { path, session, heading, act }] of Object.entries(await statesOf(kit))) {
    const { href, pathname, search } = new URL(path, kit.url)
    const page = await browserOf(kit, session).open(pathname + search, browserHeaders)
    if (act === undefined) expect(page.heading, name).toBe(heading)
    seen.set(name, { ...page, url: href })
  }
}, 120_000)
afterAll(() => kit.close())

/** Where a page leads: its links, and its forms but the one that signs out. */
const waysOn = ({ text }: Seen): string[] =>
  [...text.matchAll(/<a href="([^"]*)"|<form method="post" action="([^"]*)"/g)]
    .map(([, link, form]) => link ?? form ?? '')
    .filter((to) => to !== 'sign-out')

test('no page is a dead end, in any reachable state', () => {
  expect(seen.size).toBeGreaterThan(45)
  const deadEnds = [...seen].filter(([, page]) => waysOn(page).length === 0).map(([name]) => name)
  expect(deadEnds).toEqual([])
})

test('a link that cannot be used leads to a new one', () => {
  const to = (name: string) => waysOn(seen.get(name) as Seen)
  expect(to('reset-password-expired')).toEqual(['forgot-password'])
  expect(to('reset-password-incomplete')).toEqual(['forgot-password'])
  expect(to('verify-email-incomplete')).toEqual(['login', 'sign-up'])
  expect(to('connect-expired')).toEqual([`${kit.url}/workspaces`])
  expect(to('invite-unknown')).toEqual(['workspaces'])
  expect(to('device-denied')).toEqual(['device', 'workspaces'])
})

test('a rejected form, and a page that fails, lead on', async () => {
  const { send, open } = browserOf(kit, kit.sessionToken)
  const answers = {
    'form of another site': await send('/device', {}, { 'Sec-Fetch-Site': 'cross-site' }),
    'reset that was used': await send('/reset-password', { token: 'nothing', newPassword: 'a long enough password 9' }),
    'verification that was used': await send('/verify-email', { token: 'nothing' }),
    'workspace of others': await open('/workspace?id=ws_nothing'),
    'parameter that comes twice': await open('/reset-password?token=a&token=b'),
  }
  for (const [name, page] of Object.entries(answers)) {
    expect(page.heading, name).toBeDefined()
    expect(waysOn(page), name).not.toEqual([])
  }
})

test('every link of every page leads to a page', async () => {
  const addresses = new Set<string>()
  for (const { text, url } of seen.values()) {
    for (const [, to = ''] of text.matchAll(/<a href="([^"#]+)/g)) {
      const address = new URL(to.replaceAll('&amp;', '&'), url)
      if (address.origin === kit.url) addresses.add(address.href)
    }
  }
  expect(addresses.size).toBeGreaterThan(15)
  const broken: string[] = []
  for (const address of addresses) {
    const { status } = await fetch(address, { headers: browserHeaders, redirect: 'manual' })
    if (status >= 400) broken.push(`${address} ${status}`)
  }
  expect(broken).toEqual([])
})
