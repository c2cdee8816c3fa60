import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, loaded, looks, openConsole, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const publish = async (content: string) => {
  const [post] = await kit.api.posts.publishNow({ body: { socialAccountIds: [kit.accounts.bluesky], content } })
  const status = async () => (await kit.api.posts.get({ params: { id: post?.id ?? '' } })).status
  await expect.poll(status, { timeout: 30_000, interval: 200 }).not.toBe('scheduled')
}

test.each(
  looks,
)('the numbers of posts and endpoints are those of the API, on a %s, %o, in %s', async (device, viewport, scheme) => {
  const { api, sessionApi } = kit
  if ((await sessionApi.webhooks.list()).length === 0) {
    const url = `${kit.service.inboxUrl}/hooks/numbers`
    await sessionApi.webhooks.create({ body: { name: 'Reliability', url, events: ['post.published'] } })
    await publish('Fresh rolls')
    const body = { error: 'InvalidRequest', message: 'no' }
    kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
    await publish('Stale rolls')
  }
  await expect.poll(async () => (await api.posts.getStatistics()).failed, { timeout: 90_000, interval: 1_000 }).toBe(1)
  const phone = await openConsole(browser, kit, '#/numbers', { viewport, scheme })
  const { page } = phone
  await page.getByText(/^The last 2 posts, from /).waitFor()
  const { lateness, failures } = await api.posts.getStatistics()
  expect(lateness.maxMs).not.toBeNull()
  expect(await page.locator('dt', { hasText: 'Worst' }).locator('+ dd').textContent()).toMatch(/ ms$| s$/)
  expect(await page.getByRole('row', { name: /^Bluesky 1 1 50\.0 %/ }).count()).toBe(1)
  expect(await page.getByRole('row', { name: `Bluesky ${failures[0]?.reason} 1` }).count()).toBe(1)
  await page.getByRole('row', { name: /^Reliability / }).waitFor()
  await expect.poll(() => page.locator('.plot canvas').count()).toBe(2)
  await loaded(page)
  await phone.photograph(`console-${device}-numbers`)
  await expectAccessible(page, 'numbers')
  await page.getByText('Show failed posts').click()
  await page.getByRole('link', { name: /Stale rolls/ }).waitFor()
  expect(wrong(phone)).toEqual([])
})

test('without posts and endpoints, every number that does not exist is a dash or a sentence', async () => {
  await kit.sessionApi.workspaces.create({ body: { name: 'Empty', timezone: 'UTC' } })
  const { page } = await openConsole(browser, kit, '#/numbers')
  await page.getByLabel('Workspace').selectOption({ label: 'Empty' })
  await page.getByText('No posts have been published yet.').waitFor()
  await page.getByText('No endpoints yet.').waitFor()
  await expectAccessible(page, 'numbers')
})
