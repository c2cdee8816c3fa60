import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { join, makePerson } from '../deletion/people.ts'
import { readResult } from '../mcp/assistant.ts'
import { type Kind, kinds, makeProvider, revisions } from '../mcp/official.ts'
import { type Kit, start } from '../support/start.ts'
import { password } from '../support/world/preparations.ts'
import { type Desk, openDesk } from './desk.ts'
import { deskSize, launch, openPhone, phoneSize } from './launch.ts'
import { look } from './look.ts'

let kit: Kit
let browser: Browser
let desk: Desk
beforeAll(async () => {
  browser = await launch()
  desk = await openDesk()
  kit = await start({ allowedOrigins: [desk.origin] })
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
  desk?.close()
})

const walks = (Object.keys(kinds) as Kind[]).flatMap((kind) => [
  { kind, registration: 'dynamic registration', scheme: 'light', size: phoneSize } as const,
  { kind, registration: 'a metadata document', scheme: 'dark', size: deskSize } as const,
])

test.each(
  walks,
)('a person signs in and allows the official client $kind with $registration, and ends its connection', async (walk) => {
  const { kind, registration, scheme, size } = walk
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const isDocumented = registration === 'a metadata document'
  const { oauthSession, provider } = makeProvider(desk.callback, isDocumented ? desk.document : undefined)
  const first = kinds[kind](kit.url, provider)
  await expect(first.connect()).rejects.toThrow(/authoriz/i)

  const phone = await openPhone(browser, scheme, size)
  const { page } = phone
  await page.goto(oauthSession.page?.href ?? '')
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look(phone, 'Connect an assistant?')
  await phone.photograph(`consent-${size.width}`)
  for (const box of await page.getByRole('checkbox', { name: /draft/i }).all()) await box.check()
  await page.getByLabel('Posts per day (optional)').fill('3')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'You can go back' }).waitFor()
  await first.finish(desk.takeReturned())
  await first.close().catch(() => undefined)

  const client = kinds[kind](kit.url, provider)
  await client.connect()
  expect(client.revision()).toBe(revisions[kind])
  expect(await client.list()).toContain('create_draft')
  const draft = { content: 'Allowed in a browser', idempotencyKey: `browser-${walks.indexOf(walk)}` }
  expect(readResult((await client.call('create_draft', draft)) as never).data).toMatchObject({ version: 1 })

  const before = { ...(oauthSession.tokens as unknown as { access_token: string }) }
  await kit.service.pass(31 * minuteMs)
  expect(readResult((await client.call('list_drafts', { limit: 1 })) as never).error).toBeUndefined()
  expect((oauthSession.tokens as unknown as { access_token: string }).access_token).not.toBe(before.access_token)

  await page.goto(`${kit.url}/workspace?id=${kit.workspaceId}`)
  await look(phone, 'Acme')
  await phone.photograph(`assistants-${size.width}`)
  await page.getByRole('button', { name: /^Disconnect / }).click()
  await page.getByRole('status').waitFor()
  await expect(client.call('list_drafts', {})).rejects.toThrow()
  await client.close()
}, 90_000)
