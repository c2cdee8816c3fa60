import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { html } from '../../../shared/pages/html.ts'
import { linkify } from '../inbox/linkify.ts'
import { startInbox } from '../inbox/start.ts'

const now = Date.UTC(2026, 10, 21, 12)
const secret = 'whsec_c2VjcmV0'
const received: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
const options = {
  clock: { now: () => now },
  folder,
  secretOf: (endpointUrl: string) => {
    received.push(endpointUrl)
    return endpointUrl.endsWith('/hooks/known') ? secret : undefined
  },
  busEvents: () => [
    {
      version: '0' as const,
      id: 'one',
      'detail-type': 'post.published',
      source: 'service',
      account: '0',
      time: '2026-11-21T12:00:00Z',
      region: 'here',
      resources: [],
      detail: { text: '<b>hi</b>' },
      bus: 'events',
    },
  ],
  outbox: () => [
    {
      id: '1',
      from: 'a@b.test',
      to: ['c@d.test'],
      subject: 'Verify <you>',
      text: 'Open http://127.0.0.1:1/v?a=1&b=2.',
      sentAt: now,
    },
  ],
}
const inbox = await startInbox(options)

beforeEach(() => inbox.reset())
afterAll(async () => {
  await inbox.close()
  rmSync(folder, { recursive: true })
})

function sign(body: string, seconds = now / 1000, key = secret) {
  const signature = `v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
  return { 'X-Service-Timestamp': String(seconds), 'X-Service-Signature': signature }
}

function deliver(name: string, body: string, headers: Record<string, string> = sign(body), signal?: AbortSignal) {
  return fetch(`${inbox.url}/hooks/${name}`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  })
}

const read = async (response: Response) => JSON.parse(await response.text())
const json = async (path: string) => read(await fetch(`${inbox.url}${path}`))
const behave = (input: unknown) => fetch(`${inbox.url}/behaviour`, { method: 'POST', body: JSON.stringify(input) })

test.each([
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '10.0.0.1',
  '0.0.0.0',
])('a site that points its own name %j at this machine reads no emails and changes nothing', async (host) => {
  const { port } = new URL(inbox.url)
  const send = (method: string, path: string, name: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request({ method, path, port, host: '127.0.0.1', headers: { Host: name } }, async (answer) =>
        resolve({
          status: answer.statusCode ?? 0,
          text: await new Response(Readable.toWeb(answer) as ReadableStream).text(),
        }),
      )
      sent.on('error', reject).end()
    })
  for (const path of ['/', '/mail', '/mail.json', '/deliveries', '/bus', '/bus.json', '/behaviour']) {
    const answer = await send('GET', path, host)
    expect([path, answer.status]).toEqual([path, 421])
    expect(answer.text).not.toContain('Verify')
  }
  expect((await send('POST', '/hooks/a', host)).status).toBe(421)
  expect(inbox.deliveries()).toEqual([])
  for (const name of ['127.0.0.1', `localhost:${port}`, `LOCALHOST`, `[::1]:${port}`]) {
    expect((await send('GET', '/mail.json', name)).text).toContain('Verify')
  }
})

test.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
])('a form with %j of another site changes nothing', async (headers) => {
  const sent = await fetch(`${inbox.url}/behaviour`, {
    method: 'POST',
    headers,
    body: '{"name":"a","times":1,"status":500}',
  })
  expect([sent.status, await sent.text()]).toEqual([403, expect.stringContaining('another site')])
  expect(await json('/behaviour')).toEqual([])
  for (const own of [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin: inbox.url }, {}] as const) {
    expect((await deliver('a', 'body', own)).status).toBe(200)
  }
})

test('records a delivery as received and verifies it with the secret of its URL', async () => {
  const body = '{"type":"post.published", "data":{"text":"ünï 👋"}}'
  expect((await deliver('known', body)).status).toBe(200)
  const [delivery, ...more] = await json('/deliveries')
  expect(more).toEqual([])
  expect(delivery).toMatchObject({ endpoint: 'known', receivedAt: now, rawBody: body, verified: true, answered: 200 })
  expect(delivery.headers['x-service-timestamp']).toBe(String(now / 1000))
  expect(received.at(-1)).toBe(`${inbox.url}/hooks/known`)
  expect(inbox.deliveries()).toEqual([delivery])
})

test('forged, stale, early, unsigned, and unknown deliveries are not verified', async () => {
  const seconds = now / 1000
  const seen = async (name: string, headers: Record<string, string>) => {
    await deliver(name, 'body', headers)
    return inbox.deliveries().at(-1)?.verified
  }
  expect(await seen('known', sign('body', seconds - 300))).toBe(true)
  expect(await seen('known', sign('body', seconds - 301))).toBe(false)
  expect(await seen('known', sign('body', seconds + 301))).toBe(false)
  expect(await seen('known', sign('other'))).toBe(false)
  expect(await seen('known', sign('body', seconds, 'wrong'))).toBe(false)
  expect(await seen('known', { ...sign('body'), 'X-Service-Signature': 'v1=short' })).toBe(false)
  expect(await seen('known', {})).toBe(false)
  expect(await seen('unknown', sign('body'))).toBe(false)
})

test('a webhook fails as often as requested, and every attempt is recorded', async () => {
  const location = 'http://127.0.0.1:1/elsewhere'
  const planned = [
    { name: 'a', times: 2, status: 500 },
    { name: 'a', times: 1, location },
    { name: 'a', times: 1, reset: true },
  ]
  expect((await behave(planned)).status).toBe(200)
  expect((await deliver('b', '{}')).status).toBe(200)
  expect([(await deliver('a', '{}')).status, (await deliver('a', '{}')).status]).toEqual([500, 500])
  const redirect = await deliver('a', '{}')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, location])
  await expect(deliver('a', '{}')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect((await deliver('a', '{}')).status).toBe(200)
  await behave({ name: 'a', times: 1, hang: true })
  await expect(deliver('a', '{}', {}, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  expect(inbox.deliveries().map((delivery) => delivery.answered)).toEqual([200, 500, 500, 302, 0, 200, 0])
  const wrong = await behave({ name: 'a', times: 1, stauts: 500 })
  expect([wrong.status, (await read(wrong)).error]).toEqual([400, expect.stringContaining('stauts')])
})

test('deliveries survive a restart', async () => {
  await deliver('known', 'kept')
  const again = await startInbox(options)
  expect(again.deliveries()).toMatchObject([{ endpoint: 'known', rawBody: 'kept', verified: true }])
  await again.close()
})

test('the bus page shows each event as a target receives it, escaped', async () => {
  const bus = await (await fetch(`${inbox.url}/bus`)).text()
  expect(bus).toContain('<b>post.published</b>')
  expect(bus).toContain('&lt;b&gt;hi&lt;/b&gt;')
  expect(await json('/bus.json')).toEqual(options.busEvents())
})

test('a line shows the post, the account, the attempt, and the outcome of an event; filters choose among them', async () => {
  const post = { content: 'Fresh bread', platform: 'bluesky', socialAccountId: 'acc_1' }
  const body = JSON.stringify({ type: 'post.published', data: post })
  await behave({ name: 'shop', times: 1, status: 500 })
  for (const [name, attempt] of [
    ['shop', '1'],
    ['shop', '2'],
    ['desk', '1'],
  ] as const)
    await deliver(name, body, { 'X-Service-Delivery-Attempt': attempt })
  await deliver('desk', '{"type":"post.scheduled"}')
  const rows = async (query: string) => {
    const text = await (await fetch(`${inbox.url}/${query}`)).text()
    return [...text.matchAll(/<summary>(.*?)<\/summary>/gs)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
  }
  const what = '12:00:00 post.published Fresh bread bluesky · acc_1'
  expect(await rows('?target=shop')).toEqual([
    `${what} → shop attempt 2 not verified answered 200`,
    `${what} → shop attempt 1 not verified answered 500`,
  ])
  expect(await rows('?target=desk&type=post.published')).toEqual([`${what} → desk attempt 1 not verified answered 200`])
  expect(await rows('')).toHaveLength(4)
  expect(await rows('bus?type=post.published')).toHaveLength(1)
  expect(await rows('bus?type=post.scheduled')).toEqual([])
})

test('the pages show deliveries and emails without executing their content', async () => {
  await deliver('known', '{"type":"<img src=x onerror=alert(1)>"}')
  const page = await fetch(inbox.url)
  const text = await page.text()
  expect(text).toContain('<b>&lt;img src=x onerror=alert(1)&gt;</b>')
  expect(text).toContain('✓ verified')
  expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`)
  const mail = await (await fetch(`${inbox.url}/mail`)).text()
  expect(mail).toContain('Verify &lt;you&gt;')
  expect(mail).toContain('<a href="http://127.0.0.1:1/v?a=1&amp;b=2" rel="noreferrer">')
  expect(await json('/mail.json')).toEqual(options.outbox())
})

const plain = (markup: string) =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const hostile = fc
  .array(fc.oneof(fc.constantFrom('<', '>', '"', "'", '&', '&lt;', 'http://a.b/', 'https://"', ' '), fc.string()))
  .map((pieces) => pieces.join(''))

test('escaped text contains no HTML syntax and loses nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = html`${text}`.markup
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
      expect(plain(escaped)).toBe(text)
      expect(html`<i title="${text}">${[html`${text}`]}</i>`.markup).toBe(`<i title="${escaped}">${escaped}</i>`)
    }),
  )
})

test('only http URLs become links, and the surrounding text remains', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { markup } = linkify(text)
      expect(plain(markup.replaceAll(/<a href="https?:\/\/[^"<>]*" rel="noreferrer">|<\/a>/g, ''))).toBe(text)
    }),
  )
})
