import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../functions/client.ts'
import { halves } from '../media/pictures.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, looks, openConsole, tabTo, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let api: Client
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
  api = kit.api
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const picture = () => halves(80, 60).png().toBuffer()

const open = (hash: string, how = {}) => openConsole(browser, kit, hash, how)

/** Adds a picture to the library through the API. */
const addPicture = async (filename: string, altText?: string) => {
  const content = (await picture()).toString('base64')
  return api.media.create({ body: { content, filename, ...(altText === undefined ? {} : { altText }) } })
}

test('a file is uploaded to the library, described anew, and deleted', async () => {
  const phone = await open('#/media')
  const { page } = phone
  await page.getByText('The library has no files yet.').waitFor()
  const buffer = await picture()
  await page.getByLabel('Add files').setInputFiles({ name: 'loaf.png', mimeType: 'image/png', buffer })
  await page.getByLabel('Description of loaf.png').fill('A loaf')
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByText('1 file, the newest first.').waitFor()
  expect(await page.getByRole('link', { name: 'Open loaf.png' }).locator('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBeGreaterThan(0)
  const { items } = await api.media.list({ query: {} })
  expect(items).toMatchObject([{ originalFilename: 'loaf.png', altText: 'A loaf' }])
  const id = items[0]?.id ?? ''

  await page.getByText('Change the description').click()
  await page.getByLabel('Description of loaf.png').fill('A loaf of rye')
  await page.route('**/api/media/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Save the description' }).click()
  await page.locator('.alert').getByText('The service cannot be reached.').waitFor()
  expect(await page.getByLabel('Description of loaf.png').inputValue()).toBe('A loaf of rye')
  await page.unroute('**/api/media/**')
  await page.getByRole('button', { name: 'Save the description' }).click()
  await page.getByText('A loaf of rye', { exact: true }).first().waitFor()
  expect((await api.media.get({ params: { id } })).altText).toBe('A loaf of rye')

  await page.getByRole('button', { name: 'Delete loaf.png' }).click()
  await page.getByRole('button', { name: 'Close' }).last().click()
  expect((await api.media.list({ query: {} })).total).toBe(1)
  await page.getByRole('button', { name: 'Delete loaf.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('loaf.png is deleted.').waitFor()
  expect((await api.media.list({ query: {} })).total).toBe(0)
})

test('a file that a scheduled post uses is deleted only if that is asked for', async () => {
  const { id } = await addPicture('used.png')
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'With a file', mediaUrls: [id], scheduledAt }
  await api.posts.schedule({ body })
  const { page } = await open('#/media')
  await page.getByRole('button', { name: 'Delete used.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByText('Scheduled posts use this file.').waitFor()
  expect((await api.media.get({ params: { id } })).id).toBe(id)
  await page.getByLabel('Delete it even if they use it').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('used.png is deleted.').waitFor()
  expect((await api.media.list({ query: {} })).total).toBe(0)
})

test('with the keyboard alone, a file of the library is described and goes into a post', async () => {
  const { id } = await addPicture('oven.png')
  const { page } = await open('#/media')
  await page.getByText('1 file, the newest first.').waitFor()
  await tabTo(page, /^Describe it: oven\.png$/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Description of oven\.png$/)
  await page.keyboard.type('An oven')
  await tabTo(page, /^Save the description$/)
  await page.keyboard.press('Enter')
  await page.getByText('The description is saved.').waitFor()
  await page.goto(`${kit.url}/console#/compose`)
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  await tabTo(page, /^Bluesky · /)
  await page.keyboard.press('Space')
  await tabTo(page, /^Text$/)
  await page.keyboard.type('From the library, by keyboard')
  await tabTo(page, /^From the library$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'oven.png' }).waitFor()
  await tabTo(page, /oven\.png$/)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'oven.png', pressed: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Uploaded: An oven').waitFor()
  await tabTo(page, /^Schedule$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await tabTo(page, /^Schedule$/)
  await page.keyboard.press('Enter')
  await page.getByText(/^1 post scheduled for /).waitFor()
  const { items } = await api.posts.list({ query: { q: 'From the library', limit: 1 } })
  expect(items[0]?.mediaUrls).toEqual([id])
})

test('a library of more than one page is turned, and its first page is found again', async () => {
  for (let n = 0; n < 25; n += 1) await addPicture(`many-${n}.png`)
  const { page } = await open('#/media')
  await page.getByText('many-24.png', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('many-0.png', { exact: true }).waitFor()
  expect(await page.getByText('many-24.png', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'First page' }).click()
  await page.getByText('many-24.png', { exact: true }).waitFor()
})

test.each(looks)('the library can be read and used on a %s, %o, in %s', async (device, viewport, scheme) => {
  await addPicture('bread.png', 'Bread on a board')
  const phone = await open('#/media', { viewport, scheme })
  const { page } = phone
  await page.getByText('Bread on a board').first().waitFor()
  await page.getByText('Describe it').first().click()
  await phone.photograph(`media-${device}`)
  await expectAccessible(page, 'media')
  await page.getByRole('button', { name: 'Delete bread.png' }).first().click()
  await expectAccessible(page, 'deletion of a file')
  await page.goto(`${kit.url}/console#/compose`)
  await page.getByRole('button', { name: 'From the library' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'bread.png' }).first().click()
  await phone.photograph(`picker-${device}`)
  await expectAccessible(page, 'picker')
  expect(wrong(phone)).toEqual([])
})
