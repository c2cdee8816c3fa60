import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, looks, openConsole, wrong } from './console.ts'
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

test.each(
  looks,
)('the console leads to the local pages, where a fault is added and seen in the requests, on a %s, %o, in %s', async (device, viewport, scheme) => {
  const phone = await openConsole(browser, kit, '', { viewport, scheme })
  const { page } = phone
  const local = page.getByRole('navigation', { name: 'Local pages' })
  await local.waitFor()
  expect(await local.getByRole('link').allTextContents()).toEqual([
    ...['Platforms', 'Requests', 'Faults', 'Webhooks', 'Bus', 'Mail', 'Push'],
  ])
  await expectAccessible(page, 'console with local pages')
  await local.getByRole('link', { name: 'Faults' }).click()
  await page.getByLabel('Which calls').selectOption({ label: 'Bluesky: create' })
  await page.getByLabel('What happens').selectOption('rate_limited')
  await phone.photograph(`local-faults-${device}`)
  await expectAccessible(page, 'faults')
  await page.getByRole('button', { name: 'Add the fault' }).click()
  await page.getByText('rate_limited ×1').waitFor()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: `Fresh rolls on a ${device}` }
  await kit.api.posts.publishNow({ body })
  await page.getByRole('link', { name: 'Requests' }).click()
  const failed = async () => {
    await page.reload()
    return page.getByText('bluesky create').count()
  }
  await expect.poll(failed, { timeout: 30_000, interval: 500 }).toBeGreaterThan(0)
  await phone.photograph(`local-requests-${device}`)
  await expectAccessible(page, 'requests')
  await page.getByRole('link', { name: 'Platforms' }).click()
  await page.getByRole('navigation', { name: 'Platforms' }).getByRole('link', { name: 'Bluesky' }).click()
  await page.getByText(`Fresh rolls on a ${device}`).waitFor({ timeout: 30_000 })
  await phone.photograph(`local-platforms-${device}`)
  await page.getByRole('link', { name: 'Console' }).click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  expect(wrong(phone).filter((text) => !text.includes(kit.service.platformsUrl))).toEqual([])
})
