import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages, routes } from '../../functions/routes.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import { type Kit, start } from '../support/start.ts'
import { inspect } from './inspect.ts'
import { deskSize, launch, openPhone, phoneSize } from './launch.ts'
import { arrive } from './look.ts'
import { rawTextsOf } from './raw-text.ts'
import { type State, statesOf } from './states.ts'

let kit: Kit
let browser: Browser
let states: [string, State][]
beforeAll(async () => {
  browser = await launch()
  kit = await start()
  states = Object.entries(await statesOf(kit))
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const schemes = ['light', 'dark'] as const
const sizes = { phone: phoneSize, desk: deskSize }
const everyLook = schemes.flatMap((scheme) => (['phone', 'desk'] as const).map((size) => ({ scheme, size })))

/** Opens a page in a separate browser, inspects it, and returns the problems. */
const faultsOf = async (name: string, state: State, scheme: 'light' | 'dark', size: 'phone' | 'desk') => {
  const { page, complaints, requested, photograph } = await openPhone(browser, scheme, sizes[size])
  const url = new URL(state.path, kit.url)
  if (state.session) {
    await page.context().addCookies([{ name: 'svc_session', value: state.session, url: url.origin }])
  }
  await page.goto(url.href)
  await state.act?.(page)
  await arrive(page, state.heading)
  await photograph(`${name}-${size}`)
  const { tooWide, faint, unlabelled, headings } = await inspect(page)
  // The reference is about codes.
  const rawTexts = state.path.startsWith('/api/docs/') ? [] : await rawTextsOf(page)
  const elsewhere = requested.filter((address) => new URL(address).origin !== url.origin)
  await page.context().close()
  const faults = { tooWide, faint, unlabelled, headings, complaints, rawTexts, elsewhere }
  const none = { tooWide: 0, faint: [], unlabelled: [], headings: 1, complaints: [], rawTexts: [], elsewhere: [] }
  return JSON.stringify(faults) === JSON.stringify(none) ? [] : [{ name, ...faults }]
}

test.each(
  everyLook,
)('every page fits a $size, can be read, shows no raw value, and contacts no other host ($scheme)', async ({
  scheme,
  size,
}) => {
  const faults = []
  for (const [name, state] of states) faults.push(...(await faultsOf(name, state, scheme, size)))
  expect(faults).toEqual([])
}, 300_000)

/** Routes with their own walk (docs.walk.ts, console.walk.ts), or that are no pages. */
const elsewhere = new Set(['/api/docs', '/console', '/notifications.js', '/notifications-worker.js', '/workspaces.js'])

test('no page is left out', () => {
  const ours = [...pages, ...routes].filter(({ endpoint: { contract } }) => contract.method === 'GET')
  const isPage = (path: string) => !path.startsWith('/api/') || path.startsWith('/api/docs')
  const paths = ours.map(({ endpoint }) => endpoint.contract.path).filter((path) => isPage(path))
  const visited = states.map(([, { path }]) => new URL(path, kit.url).pathname)
  const unseen = paths.filter(
    (path) =>
      !elsewhere.has(path) &&
      !visited.some((address) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address)),
  )
  expect(unseen.filter((path) => !/\.(txt|js|json|css|svg)$/.test(path))).toEqual([])
})

test('the page of every error fits a phone', async () => {
  const { page, complaints } = await openPhone(browser, 'light')
  for (const code of Object.keys(catalog)) {
    await page.goto(`${kit.url}/api/docs/errors/${code}`)
    expect(await page.evaluate('document.documentElement.scrollWidth'), code).toBe(phoneSize.width)
  }
  expect(complaints).toEqual([])
})

test('a service without a provider of payments shows how to get a plan', async () => {
  await kit.close()
  kit = await start({ billing: 'none' })
  const state = { path: '/billing?workspace=acme', heading: 'A plan for your workspace' }
  for (const { scheme, size } of everyLook) {
    expect(await faultsOf('billing-self-hosted', state, scheme, size)).toEqual([])
  }
})
