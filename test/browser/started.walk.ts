import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { tabsOf } from '../../infra/local/pages/tabs.ts'
import { readResult } from '../mcp/assistant.ts'
import { type Kind, kinds, makeProvider, revisions } from '../mcp/official.ts'
import { useService } from '../start/one-service.ts'
import { launch as launchProcess, until } from '../start/processes.ts'
import { blocksOf } from '../start/snippets/blocks.ts'
import { type Desk, openDesk } from './desk.ts'
import { inspect } from './inspect.ts'
import { deskSize, launch, openPhone, phoneSize } from './launch.ts'

const local = useService()
let browser: Browser
let desk: Desk
beforeAll(async () => {
  browser = await launch()
  desk = await openDesk()
})
afterAll(async () => {
  await browser?.close()
  desk?.close()
})

/** A new browser opens the address of an assistant, and the person of the demo signs in. */
const signIn = async (address: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(address)
  await page.getByLabel('Email address').fill(local.service.user.email)
  await page.getByLabel('Password').fill(local.service.user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Connect an assistant?' }).waitFor()
  return page
}

const boxesOf = async (page: Page, selector: string) => {
  const boxes = await Promise.all((await page.locator(selector).all()).map((box) => box.boundingBox()))
  return boxes.filter((box) => box !== null)
}

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

const walks = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  (['dynamic registration', 'a metadata document'] as const).map((registration) => ({ kind, registration })),
)

test.each(
  walks,
)('with npm start, a person chooses what the official client $kind with $registration may do, and in which workspace', async ({
  kind,
  registration,
}) => {
  const { baseUrl, sessionToken: token, workspaceId } = local.service
  const name = `Walk ${walks.findIndex((walk) => walk.kind === kind && walk.registration === registration)}`
  const { id } = await client({ baseUrl, token }).workspaces.create({ body: { name, timezone: 'Europe/Vienna' } })
  const connectionsOf = async (workspace: string) =>
    (await client({ baseUrl, token, workspaceId: workspace }).workspaces.listConnections({ params: { id: workspace } }))
      .items
  const { oauthSession, provider } = makeProvider(
    desk.callback,
    registration === 'a metadata document' ? desk.document : undefined,
  )
  const first = kinds[kind](baseUrl, provider)
  await expect(first.connect()).rejects.toThrow(/authoriz/i)

  const page = await signIn(oauthSession.page?.href ?? '')
  await page.getByRole('radio', { name, exact: true }).check()
  await page.getByRole('checkbox', { name: 'Publish posts now' }).uncheck()
  expect(await page.getByRole('checkbox', { name: 'Delete posts' }).isChecked()).toBe(false)
  await page.getByLabel('Posts per day (optional)').fill('3')
  await page.getByLabel('Quiet hours: from (optional)').fill('22:00')
  await page.getByLabel('Quiet hours: to (optional)').fill('07:00')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'You can go back' }).waitFor()
  await first.finish(desk.takeReturned())
  await first.close().catch(() => undefined)

  const assistant = kinds[kind](baseUrl, provider)
  onTestFinished(() => assistant.close().catch(() => undefined))
  await assistant.connect()
  expect(assistant.revision()).toBe(revisions[kind])
  const tools = await assistant.list()
  expect(tools).toContain('schedule_post')
  expect(tools).not.toContain('publish_post_now')
  expect(tools).not.toContain('delete_post')
  const call = async (tool: string, sent: object = {}) => readResult((await assistant.call(tool, sent)) as never)
  expect((await call('get_workspace')).data).toMatchObject({ id })
  const draft = { content: 'Allowed in a browser', idempotencyKey: 'first-draft' }
  expect((await call('create_draft', draft)).data).toMatchObject({ content: 'Allowed in a browser', version: 1 })
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Vienna' }
  expect(await connectionsOf(id)).toMatchObject([{ safety: { postsPerDay: 3, quietHours } }])

  // An access token that ended: the client refreshes by itself.
  const before = oauthSession.tokens as unknown as Tokens
  oauthSession.tokens = { ...before, access_token: `${before.access_token.slice(0, -4)}gone` } as never
  expect((await call('list_drafts', { limit: 1 })).error).toBeUndefined()
  const after = oauthSession.tokens as unknown as Tokens
  expect(after.access_token).not.toBe(before.access_token)
  expect(after.refresh_token).not.toBe(before.refresh_token)

  await page.goto(`${baseUrl}/workspace?id=${id}`)
  await page.getByRole('button', { name: /^Disconnect / }).click()
  await page.getByRole('status').waitFor()
  await expect(assistant.call('list_drafts', {})).rejects.toThrow()
  expect(await connectionsOf(workspaceId)).toEqual([])
  await page.context().close()
}, 90_000)

test('the program of the guide connects as pasted', async () => {
  const [program] = blocksOf('infra/openapi/guides/assistants.md').filter(({ flags }) =>
    flags.includes('assistant.mjs'),
  )
  const folder = mkdtempSync(join(tmpdir(), 'social-assistant-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'assistant.mjs'), program?.code ?? '')
  const running = launchProcess(process.execPath, [join(folder, 'assistant.mjs')], { BASE: local.service.baseUrl })
  onTestFinished(() => void running.child.kill('SIGKILL'))
  const address = await until('the program names a page', () => /^Open (\S+)$/m.exec(running.output())?.[1])
  const page = await signIn(address)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('You can close this page.').waitFor()
  expect(await running.ended).toBe(0)
  expect(running.output()).toContain('Bluesky: demo.bsky.test')
  await page.context().close()
}, 90_000)

test('with the link of npm start, the first press in Schedule a post schedules one, also when the dates of the examples have passed', async () => {
  const [, link = ''] = /Reference +(\S+)/.exec(local.running.output()) ?? []
  const { page, photograph } = await openPhone(browser, 'light', deskSize)
  const inTwoYears = new Date(Date.now() + 2 * 365 * 86_400_000)
  await page.clock.setFixedTime(inTwoYears)
  await page.goto(link)
  await page
    .getByRole('button', { name: 'Posts' })
    .or(page.getByRole('link', { name: 'Posts' }))
    .first()
    .click()
  await page.getByRole('link', { name: /Schedule a post/ }).click()
  const answered = page.waitForResponse((each) => each.url().endsWith('/api/posts/schedule'))
  await page
    .getByRole('button', { name: /Test Request.*post \/api\/posts\/schedule\W*$/i })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Send post request/i }).click()
  const response = await answered
  const { data } = await response.json()
  expect([response.status(), data]).toMatchObject([201, [{ status: 'scheduled', platform: 'bluesky' }]])
  expect(data[0].socialAccountId).toBe(local.service.accounts['bluesky'])
  expect(Date.parse(data[0].scheduledAt)).toBeGreaterThan(inTwoYears.getTime())
  await photograph('docs-schedule')
  await page.context().close()
})

test('the local pages fit a phone: every tab can be reached, and nothing is cut off', async () => {
  const { platformsUrl, inboxUrl, pushUrl, baseUrl, pat: token, workspaceId, accounts } = local.service
  const body = { socialAccountIds: [accounts['bluesky'] ?? ''], content: 'A line of the inbox' }
  await client({ baseUrl, token, workspaceId }).posts.publishNow({ body })
  for (const width of [320, phoneSize.width]) {
    const { page, photograph } = await openPhone(browser, 'light', { ...phoneSize, width })
    const ofPlatforms = [platformsUrl, `${platformsUrl}/calls`, `${platformsUrl}/fault-panel`]
    for (const url of [
      ...ofPlatforms,
      `${platformsUrl}/clock`,
      inboxUrl,
      `${inboxUrl}/bus`,
      `${inboxUrl}/mail`,
      pushUrl,
    ]) {
      await page.goto(url)
      expect((await inspect(page)).tooWide, url).toBe(0)
      const tabs = await boxesOf(page, 'header nav a')
      expect(tabs.length, url).toBe(Object.keys(tabsOf({})).length)
      expect(Math.max(...tabs.map(({ x, width: own }) => x + own)), url).toBeLessThanOrEqual(width)
    }
    await page.goto(platformsUrl)
    await photograph(`platforms-${width}`)
    await page.goto(inboxUrl)
    await page.locator('summary', { hasText: 'A line of the inbox' }).first().waitFor()
    await page.getByLabel('Event type').selectOption('post.published')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.locator('summary').first().click()
    await page.getByText('webhook-id').first().waitFor()
    expect((await inspect(page)).tooWide).toBe(0)
    await photograph(`inbox-${width}`)
    await page.goto(`${inboxUrl}/bus`)
    await photograph(`bus-${width}`)
    await page.goto(`${platformsUrl}/clock`)
    await photograph(`clock-${width}`)
    await page.context().close()
  }
})

test('posts of one platform fill the columns of the page of platforms', async () => {
  const { baseUrl, pat: token, workspaceId, accounts } = local.service
  const api = client({ baseUrl, token, workspaceId })
  const socialAccountIds = [accounts['bluesky'] ?? '']
  for (let n = 0; n < 12; n += 1) await api.posts.publishNow({ body: { socialAccountIds, content: `Post ${n}` } })
  const { page, photograph } = await openPhone(browser, 'light', deskSize)
  await page.goto(local.service.platformsUrl)
  await page.getByText('Post 11').waitFor()
  const lefts = async () => new Set((await boxesOf(page, 'section:has-text("Bluesky") article')).map(({ x }) => x)).size
  await expect.poll(lefts).toBeGreaterThan(1)
  await photograph('platforms-many')
  await page.context().close()
})
