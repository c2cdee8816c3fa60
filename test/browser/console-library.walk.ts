import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../functions/client.ts'
import { halves } from '../media/pictures.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, looks, openConsole, wrong } from './console.ts'
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
  await page.getByText('No files yet.').waitFor()
  const buffer = await picture()
  await page.getByLabel('Add files').setInputFiles({ name: 'loaf.png', mimeType: 'image/png', buffer })
  await page.getByText('1 file').waitFor()
  expect(
    await page
      .getByRole('link', { name: 'Open loaf.png' })
      .locator('img')
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
  ).toBeGreaterThan(0)
  const { items } = await api.media.list({ query: {} })
  expect(items).toMatchObject([{ originalFilename: 'loaf.png', altText: null }])
  const id = items[0]?.id ?? ''

  await page.getByText('Add alt text').click()
  await page.getByLabel('Alt text for loaf.png').fill('A loaf of rye')
  await page.route('**/api/media/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.alert').getByText('Can’t reach the service.').waitFor()
  expect(await page.getByLabel('Alt text for loaf.png').inputValue()).toBe('A loaf of rye')
  await page.unroute('**/api/media/**')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A loaf of rye', { exact: true }).first().waitFor()
  expect((await api.media.get({ params: { id } })).altText).toBe('A loaf of rye')

  await page.getByRole('button', { name: 'Delete loaf.png' }).click()
  await page.getByRole('button', { name: 'Close' }).last().click()
  expect((await api.media.list({ query: {} })).total).toBe(1)
  await page.getByRole('button', { name: 'Delete loaf.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('loaf.png deleted').waitFor()
  expect((await api.media.list({ query: {} })).total).toBe(0)
})

test('a file that the library has is used again, and files are found by their words and kind', async () => {
  const { id } = await addPicture('first-name.png', 'A field of rye')
  const captions = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n').toString('base64')
  const subtitles = await api.media.create({ body: { content: captions, filename: 'words.vtt' } })
  const phone = await open('#/media')
  const { page } = phone
  await page.getByText('2 files').waitFor()
  await page
    .getByLabel('Add files')
    .setInputFiles({ name: 'again.png', mimeType: 'image/png', buffer: await picture() })
  await page.getByText('again.png is already in your library').waitFor()
  await page.getByText('2 files').waitFor()
  expect((await api.media.list({ query: {} })).total).toBe(2)
  await page.getByLabel('Search files').fill('RYE')
  await page.getByText('1 file', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open first-name.png' }).waitFor()
  await phone.photograph('media-search')
  await page.getByLabel('Kind').selectOption({ label: 'Captions' })
  await page.getByText('Nothing matches.').waitFor()
  await page.getByLabel('Search files').fill('')
  await page.getByRole('link', { name: 'Open words.vtt' }).waitFor()
  expect(await page.getByRole('link', { name: 'Open first-name.png' }).count()).toBe(0)

  await page.goto(`${kit.url}/console#/compose`)
  await page.getByLabel(/Bluesky · /).check()
  const again = { name: 'again.png', mimeType: 'image/png', buffer: await picture() }
  await page.getByLabel('Add files').setInputFiles([again, again])
  // The text of the stored file comes with it, and twice the same file is one.
  const description = page.getByLabel('Alt text for again.png')
  await expect
    .poll(() =>
      description.evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value)),
    )
    .toEqual(['A field of rye'])
  await phone.photograph('compose-again')
  expect((await api.media.list({ query: {} })).total).toBe(2)
  for (const each of [id, subtitles.id]) await api.media.delete({ params: { id: each }, query: {} })
  expect(wrong(phone)).toEqual([])
})

test('a file that a scheduled post uses is deleted only on explicit request', async () => {
  const { id } = await addPicture('used.png')
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'With a file', mediaUrls: [id], scheduledAt }
  await api.posts.schedule({ body })
  const { page } = await open('#/media')
  await page.getByRole('button', { name: 'Delete used.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByText('A scheduled post uses this file.').waitFor()
  expect((await api.media.get({ params: { id } })).id).toBe(id)
  await page.getByLabel('Delete it even if scheduled posts use it').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('used.png deleted').waitFor()
  expect((await api.media.list({ query: {} })).total).toBe(0)
})

test('a file of the library is described and goes into a post', async () => {
  const { id } = await addPicture('oven.png')
  const { page } = await open('#/media')
  await page.getByText('1 file').waitFor()
  await page.getByText('Add alt text').click()
  await page.getByLabel('Alt text for oven.png').fill('An oven')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Alt text saved.').waitFor()
  await page.goto(`${kit.url}/console#/compose`)
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('From the library')
  await page.getByRole('button', { name: 'Choose from library' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'oven.png' }).click()
  await page.getByRole('button', { name: 'oven.png', pressed: true }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('Alt text for oven.png').inputValue()).toBe('An oven')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 post scheduled for /).waitFor()
  const { items } = await api.posts.list({ query: { q: 'From the library', limit: 1 } })
  expect(items[0]?.mediaUrls).toEqual([id])
})

test('a draft shows its files by their names, with their descriptions', async () => {
  const { id: file } = await addPicture('crumb.png', 'The crumb of a loaf')
  const { id } = await api.drafts.create({ body: { content: 'With a picture', mediaUrls: [file] } })
  const phone = await openConsole(browser, kit, `#/compose?draft=${id}`)
  const { page } = phone
  const row = page.getByRole('listitem').filter({ hasText: 'crumb.png' })
  await row.getByText('Uploaded').waitFor()
  const description = row.getByLabel('Alt text for crumb.png')
  expect(await description.inputValue()).toBe('The crumb of a loaf')
  await description.fill('The open crumb of a loaf')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved').waitFor()
  expect((await api.drafts.get({ params: { id } })).mediaUrls).toEqual([file])
  expect((await api.media.get({ params: { id: file } })).altText).toBe('The open crumb of a loaf')
  expect(wrong(phone)).toEqual([])
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
  await page.getByText('Add alt text').first().click()
  await phone.photograph(`media-${device}`)
  await expectAccessible(page, 'media')
  await page.getByRole('button', { name: 'Delete bread.png' }).first().click()
  await expectAccessible(page, 'deletion of a file')
  await page.goto(`${kit.url}/console#/compose`)
  await page.getByRole('button', { name: 'Choose from library' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'bread.png' }).first().click()
  await phone.photograph(`picker-${device}`)
  await expectAccessible(page, 'picker')
  expect(wrong(phone)).toEqual([])
})

test('a collection is created, filled, searched, changed, and deleted; the voice is saved', async () => {
  const phone = await open('#/memory')
  const { page } = phone
  await page.getByText('No collections yet.').waitFor()
  await page.getByRole('button', { name: 'New collection' }).click()
  await page.getByLabel('Name').fill('Bakery')
  await page.getByLabel('Color').selectOption('teal')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Bakery' }).waitFor()
  await page.getByLabel('Text').fill('We bake our bread at four in the morning.')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('1 memory · teal').waitFor()
  await page.getByLabel('Text').fill('Our oven is made of stone.')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('2 memories · teal').waitFor()
  await page.getByLabel('Search', { exact: true }).fill('when is the bread baked?')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Results for “when is the bread baked?”').waitFor()
  await page.locator('mark').first().waitFor()
  expect(await page.locator('mark').allTextContents()).toContain('bread')

  await page.getByRole('button', { name: 'Edit Bakery' }).click()
  await page.getByLabel('Name').fill('The bakery')
  await page.getByLabel('Only you can see it').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 memories · only you · teal').waitFor()
  const { items } = await api.memory.listCollections({ query: {} })
  expect(items).toMatchObject([{ name: 'The bakery', isPrivate: true, color: 'teal', memoryCount: 2 }])
  const collectionId = items[0]?.id ?? ''

  await page.getByRole('button', { name: /^Delete Our oven/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Deleted').waitFor()
  const left = await api.memory.list({ query: { collectionId } })
  expect(left.items.map(({ text }) => text)).toEqual(['We bake our bread at four in the morning.'])

  await page.getByRole('button', { name: 'Delete The bakery' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No collections yet.').waitFor()
  expect((await api.memory.listCollections({ query: {} })).items).toEqual([])

  await page.getByLabel('Tone').fill('warm and short')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Voice saved').waitFor()
  const { workspaceId: id } = kit
  expect(await api.workspaces.getVoice({ params: { id } })).toEqual({ tone: 'warm and short' })
  await page.reload()
  await page.getByLabel('Tone').waitFor()
  expect(await page.getByLabel('Tone').inputValue()).toBe('warm and short')
  expect(wrong(phone)).toEqual([])
})

test.each(looks)('the memory can be read and used on a %s, %o, in %s', async (device, viewport, scheme) => {
  const { id } = await api.memory.createCollection({ body: { name: `Bread ${device} ${scheme}`, color: 'teal' } })
  await api.memory.create({ body: { collectionId: id, text: 'We bake our bread\nat four in the morning.' } })
  const phone = await open('#/memory', { viewport, scheme })
  const { page } = phone
  await page.getByRole('button', { name: 'Save' }).waitFor()
  await page.getByLabel('Search', { exact: true }).fill('bread')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('mark').first().waitFor()
  await phone.photograph(`memory-${device}`)
  await expectAccessible(page, 'memory')
  await page.goto(`${kit.url}/console#/memory/${id}`)
  await page.getByRole('heading', { name: 'Memories' }).waitFor()
  await phone.photograph(`collection-${device}`)
  await expectAccessible(page, 'collection')
  expect(wrong(phone)).toEqual([])
})
