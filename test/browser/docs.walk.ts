import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Kit, start } from '../support/start.ts'
import { deskSize, launch, openPhone, phoneSize } from './launch.ts'

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start()
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const ground = 'getComputedStyle(document.body).backgroundColor'

const open = async (scheme: 'light' | 'dark', size = phoneSize, fragment = '') => {
  const phone = await openPhone(browser, scheme, size)
  const { page, requested } = phone
  // The policy would hide a request by blocking it: what it blocks counts as well.
  await page.addInitScript(`
    window.blocked = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => blocked.push(violatedDirective + ' ' + blockedURI))
  `)
  await page.goto(`${kit.url}/api/docs${fragment}`)
  await page.getByRole('heading', { level: 1, name: 'Social Publishing Service API' }).waitFor({ timeout: 60_000 })
  const assertQuiet = async () => {
    expect(requested.filter((url) => !url.startsWith(kit.url))).toEqual([])
    // The library asks whether it may compile code, and does without.
    expect(
      z.parse(z.array(z.string()), await page.evaluate('blocked')).filter((source) => source !== 'script-src eval'),
    ).toEqual([])
    expect(phone.complaints.filter((text) => !text.startsWith('@scalar/api-reference@'))).toEqual([])
  }
  return { ...phone, assertQuiet }
}

test.each(['light', 'dark'] as const)('the reference fits a phone and contacts no other host (%s)', async (scheme) => {
  const { page, photograph, assertQuiet } = await open(scheme)
  await photograph('docs-phone')
  expect(await page.evaluate(tooWide)).toBe(0)
  const [red = 0] = (String(await page.evaluate(ground)).match(/\d+/g) ?? []).map(Number)
  expect(red < 128).toBe(scheme === 'dark')
  expect(await page.getByRole('link', { name: 'Read the guide' }).first().getAttribute('href')).toBe(
    `${kit.url}/api/docs/guides/quick-start`,
  )
  await assertQuiet()
})

test('search finds an operation, and try-it sends a request to this service', async () => {
  const { page, photograph, assertQuiet } = await open('light', deskSize)
  await photograph('docs-desk')
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('combobox')).first().fill('schedule')
  const option = page.getByRole('option').filter({ hasText: '/api/posts/schedule' }).first()
  await option.waitFor()
  await photograph('docs-search')
  await option.click()
  await page.waitForURL(/#.*schedule/)
  await photograph('docs-operation')

  await page.goto(`${kit.url}/api/docs#tag/platforms/GET/api/platforms`)
  const answered = page.waitForResponse((response) => response.url() === `${kit.url}/api/platforms`)
  await page
    .getByRole('button', { name: /Test Request.*\/api\/platforms/i })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send get request/ })
    .click()
  expect((await answered).status()).toBe(200)
  await photograph('docs-try-it')
  await assertQuiet()
})

test('a search in natural words lists what its title names first', async () => {
  const { page } = await open('light', deskSize)
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  const box = page.getByRole('dialog').getByRole('textbox').or(page.getByRole('combobox')).first()
  const titles = async () =>
    (await page.getByRole('option').allInnerTexts()).map(
      (text) => /(?:Operation|Heading|Tag|Webhook): (.+?) ,/.exec(text.replace(/\s+/g, ' '))?.[1],
    )
  for (const [typed, title] of [
    ['schedule a post', 'Schedule a post'],
    ['cancel a post', 'Cancel a scheduled post'],
    ['connect an account', 'Create a link to connect an account'],
    ['list posts', 'List posts'],
  ] as const) {
    await box.fill(typed)
    await expect.poll(async () => (await titles())[0], { message: typed }).toBe(title)
  }
  for (const [typed, title] of [
    ['upload a file', 'Create an upload URL'],
    // No operation does this: the guides do.
    ['verify webhook signature', 'Webhook receivers'],
  ] as const) {
    await box.fill(typed)
    await expect.poll(async () => (await titles()).slice(0, 5), { message: typed }).toContain(title)
  }
})

test('the script of the reference has the address of its bytes, and is read once', async () => {
  const page = await fetch(`${kit.url}/api/docs`)
  const [, address = ''] = /<script src="docs\/(viewer\.js\?v=[0-9a-f]{16})">/.exec(await page.text()) ?? []
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const cacheOf = async (name: string) => (await fetch(`${kit.url}/api/docs/${name}`)).headers.get('cache-control')
  expect(await cacheOf(address)).toBe('public, max-age=31536000, immutable')
  expect(await cacheOf('viewer.js?v=0000000000000000')).toBe('no-cache')
  const first = await fetch(`${kit.url}/api/openapi.json`)
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
  expect((await fetch(`${kit.url}/api/openapi.json`, { headers })).status).toBe(304)
})

test('with the link of npm start, the first press of try-it is answered, with nothing typed', async () => {
  const signIn = new URLSearchParams({ token: kit.sessionToken, workspace: kit.workspaceId })
  const { page, photograph, assertQuiet } = await open('light', deskSize, `#${signIn}`)
  expect(page.url()).not.toContain(kit.sessionToken)
  await page.goto(`${kit.url}/api/docs#tag/posts/GET/api/posts`)
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/posts')
  await page
    .getByRole('button', { name: /Test Request.*get \/api\/posts\W*$/i })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send get request/ })
    .click()
  const response = await answered
  expect(response.status()).toBe(200)
  expect(response.request().headers()).toMatchObject({ 'x-workspace-id': kit.workspaceId })
  await photograph('docs-try-it-workspace')
  await assertQuiet()
})

const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        tags: z.tuple([z.string()]),
        parameters: z.array(z.looseObject({ in: z.optional(z.string()), required: z.optional(z.boolean()) })),
      }),
    ),
  ),
})

test('try-it sends no optional parameter that was left empty', async () => {
  const document = z.parse(Document, await (await fetch(`${kit.url}/api/openapi.json`)).json())
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    // Those that change something, and the list with the most filters: each one takes seconds in the browser.
    Object.entries(item).flatMap(([method, { tags, parameters }]) =>
      (method !== 'get' || path === '/api/posts') &&
      parameters.some((each) => each.in === 'query' && each.required !== true)
        ? [{ path, method, tag: tags[0] }]
        : [],
    ),
  )
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'get /api/posts',
      'delete /api/posts/{id}',
      'patch /api/posts/{id}',
      'delete /api/media/{id}',
    ]),
  )
  // What a person has to fill in: the request is not sent without it.
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const parameter of all.flatMap(({ parameters }) => parameters))
    if (parameter.in === 'path') parameter['example'] = 'x'
  const { page } = await openPhone(browser, 'light', deskSize)
  await page.route('**/api/openapi.json', (route) => route.fulfill({ json: document }))
  const sent: string[] = []
  await page.route(/\/api\/(?!docs|openapi)/, (route) => {
    const { search } = new URL(route.request().url())
    sent.push(`${route.request().method().toLowerCase()} ${search}`)
    return route.fulfill({ json: {} })
  })
  for (const { path, method, tag } of operations) {
    const name = `${method.toUpperCase()}${path}`
    await page.goto(`${kit.url}/api/docs#tag/${tag}/${name}`)
    const open = page.locator(`section[id$="${name}"]`).getByRole('button', { name: /Test Request/i })
    await open.first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: new RegExp(`^Send ${method} request`) }).click()
    await expect.poll(() => sent.length, { message: name }).toBe(1)
    expect(`${path}: ${sent.pop()}`).toBe(`${path}: ${method} `)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
}, 300_000)

const outline = 'getComputedStyle(document.activeElement).outlineStyle'

test('a link to an operation draws no ring around it, except for people who use the keyboard', async () => {
  const { page } = await openPhone(browser, 'light', deskSize)
  const focused = page.locator('section[id$="POST/api/posts/schedule"][tabindex="-1"]:focus')
  await page.goto(`${kit.url}/api/docs#tag/posts/POST/api/posts/schedule`)
  await focused.waitFor({ timeout: 60_000 })
  expect(await page.evaluate(outline)).toBe('none')
  await page.getByRole('link', { name: /^Validate a post/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^Schedule a post/ }).focus()
  await page.keyboard.press('Enter')
  await focused.waitFor()
  expect(await page.evaluate(outline)).toBe('solid')
})

test('the sample that an operation shows is complete, and our client is the next one', async () => {
  const { page, photograph } = await open('light', deskSize, '#tag/posts/POST/api/posts/schedule')
  const section = page.locator('section[id$="POST/api/posts/schedule"]')
  const shown = section.locator('.scalar-code-block').first()
  await shown.getByText('Authorization: Bearer $TOKEN').waitFor()
  for (const part of ['X-Workspace-Id: $WORKSPACE', 'Idempotency-Key: '])
    expect(await shown.innerText()).toContain(part)
  await section.getByRole('button', { name: /curl/ }).click()
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['curl', 'TypeScript', 'Node.js', 'Python', 'Go'])
  await page.getByRole('option', { name: 'TypeScript' }).click()
  await shown.getByText('await client.posts.schedule({').waitFor()
  await photograph('docs-sample')
})

test.each(['light', 'dark'] as const)('a guide is readable on a phone (%s)', async (scheme) => {
  const phone = await openPhone(browser, scheme)
  await phone.page.goto(`${kit.url}/api/docs/guides/webhook-receivers`)
  await phone.page.getByRole('heading', { level: 1, name: 'Webhook receivers' }).waitFor()
  for (const name of ['rate-limits', 'errors', 'quick-start', 'webhooks']) {
    await phone.page.goto(`${kit.url}/api/docs/guides/${name}`)
    await phone.photograph(`guide-${name}`)
    expect(await phone.page.evaluate(tooWide), name).toBe(0)
  }
  expect(phone.complaints).toEqual([])
})

test.each([
  deskSize,
  phoneSize,
])('a guide has a table of contents, and its code is copied at one press ($width)', async (size) => {
  const { page, complaints, photograph } = await openPhone(browser, 'light', size)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${kit.url}/api/docs/guides/webhooks`)
  const code = page.locator('pre').nth(1)
  await page.getByRole('button', { name: 'Copy' }).nth(1).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await code.textContent())
  await photograph(`guide-contents-${size.width}`)
  expect(await page.evaluate(tooWide)).toBe(0)
  const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
  expect(await contents.allInnerTexts()).toEqual(await page.locator('h2, h3').allInnerTexts())
  await contents.last().click()
  expect(await page.locator(':target').innerText()).toBe(await contents.last().innerText())
  expect(complaints).toEqual([])
})

test('without scripts a guide has its table of contents and its code', async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${kit.url}/api/docs/guides/webhooks`)
  expect(await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').count()).toBeGreaterThan(2)
  expect(await page.locator('pre').count()).toBeGreaterThan(2)
  expect(await page.getByRole('button').count()).toBe(0)
  await page.goto(`${kit.url}/api/docs/guides/drafts`)
  expect(await page.getByRole('navigation').count()).toBe(0)
})
