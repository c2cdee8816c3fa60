import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, loaded, looks, openConsole, wrong } from './console.ts'
import { launch, type Phone } from './launch.ts'

/** A picture of a loaf in a color. */
const loaf = (color: string) => {
  const shape = '<ellipse cx="400" cy="330" rx="250" ry="150" fill="#d9a066"/>'
  const cuts = [300, 400, 500].map((x) => `<path d="M${x} 250l40 140" stroke="#8f563b" stroke-width="18"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="${color}"/>${shape}${cuts.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

const pictures = ['teal', 'navy', 'maroon', 'olive', 'indigo'] as const

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
  for (const platform of ['mastodon', 'reddit', 'tiktok', 'instagram', 'linkedin'] as const)
    await connectOn(kit, platform)
  await connectOn(kit, 'linkedin', linkedinSeed.bob.id)
  for (const color of pictures) {
    const content = (await loaf(color)).toString('base64')
    await kit.api.media.create({ body: { filename: `${color}.png`, content, altText: `A loaf on ${color}` } })
  }
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const compose = async (...[name, viewport, scheme]: (typeof looks)[number]): Promise<Phone> => {
  const phone = await openConsole(browser, kit, '#/compose', { viewport, scheme })
  if (name === 'phone') await phone.page.getByText('Preview', { exact: true }).click()
  return phone
}

const choose = async (page: Page, ...platforms: string[]) => {
  for (const platform of platforms) {
    const boxes = page.getByLabel(new RegExp(`^${platform} · `))
    await boxes.first().waitFor()
    for (const box of await boxes.all()) await box.check()
  }
}

const addFiles = async (page: Page, within: Locator, ...colors: string[]) => {
  await within.getByRole('button', { name: 'Choose from library' }).click()
  const dialog = page.getByRole('dialog')
  for (const color of colors) await dialog.getByRole('button', { name: `${color}.png` }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
}

const previewOn = (page: Page, platform: string) => page.getByRole('article', { name: `Preview on ${platform}` })

const common = 'Rye and wheat, out of the oven at nine: https://bakery.example/bread. Thanks to @anna! #sourdough'

test.each(looks)('an image is cropped, and keeps its alt text and its place, on a %s, %o, in %s', async (...look) => {
  const phone = await compose(...look)
  const { page } = phone
  await choose(page, 'Mastodon')
  await addFiles(page, page.locator('form'), 'teal', 'navy')
  await page.getByRole('button', { name: 'Crop teal.png' }).click()
  const dialog = page.getByRole('dialog', { name: 'Crop teal.png' })
  await dialog.getByLabel('Shape').selectOption('Portrait (4:5)')
  const zoom = dialog.getByLabel('Zoom')
  await zoom.focus()
  await page.keyboard.press('End')
  await dialog.getByLabel('Left to right').focus()
  await page.keyboard.press('Home')
  await expectAccessible(page, 'crop')
  await phone.photograph(`crop-${look[0]}-${look[2]}`)
  await dialog.getByRole('button', { name: 'Crop', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('Uploaded', { exact: true }).count()).toBe(2)
  const alts = page.getByLabel(/^Alt text for /)
  expect(await Promise.all((await alts.all()).map((input) => input.inputValue()))).toEqual([
    'A loaf on teal',
    'A loaf on navy',
  ])
  const [newest] = (await kit.api.media.list({ query: { limit: 1 } })).items
  // A quarter of the height of 600 pixels, and 4:5.
  expect(newest).toMatchObject({ originalFilename: 'teal-cropped.png', mimeType: 'image/png', width: 120, height: 150 })
  expect(wrong(phone)).toEqual([])
})

test.each(looks)('each platform shows what it gets on a %s, %o, in %s', async (...look) => {
  const phone = await compose(...look)
  const { page } = phone
  await choose(page, 'Mastodon', 'LinkedIn', 'Reddit', 'Instagram')
  await page.getByLabel('Text', { exact: true }).fill(`${common}\n\n${'Come early. '.repeat(30)}End`)
  await page.getByRole('tab', { name: 'Mastodon' }).click()
  await page.getByLabel('Text on Mastodon').fill('Only on Mastodon, <b>as it is</b> #rye')
  await page.getByRole('tab', { name: 'Reddit' }).click()
  await page.getByLabel(/^Title/).fill('Bread at nine')
  await page.getByRole('tab', { name: 'All networks' }).click()
  await page.getByRole('textbox', { name: 'First comment' }).fill('Which one first?')
  await addFiles(page, page.locator('form'), ...pictures)

  const mastodon = previewOn(page, 'Mastodon')
  await expect
    .poll(() => mastodon.locator('.body').first().textContent())
    .toBe('Only on Mastodon, <b>as it is</b> #rye')
  expect(await mastodon.locator('.marked').allTextContents()).toEqual(['#rye'])
  const alts = () =>
    mastodon.locator('.shots img').evaluateAll((images) => images.map((image) => image.getAttribute('alt')))
  await expect.poll(alts).toEqual(pictures.slice(0, 4).map((color) => `A loaf on ${color}`))
  await mastodon.getByText('+1 more file').waitFor()
  const reddit = previewOn(page, 'Reddit')
  expect(await reddit.locator('.title').textContent()).toBe('Bread at nine')
  expect(await reddit.locator('.marked').allTextContents()).toEqual([
    ...['https://bakery.example/bread', '@anna', '#sourdough'],
  ])
  expect(await reddit.locator('.comment .body').textContent()).toBe('Which one first?')
  const instagram = previewOn(page, 'Instagram')
  expect(await instagram.locator('.shots img').count()).toBe(1)
  await instagram.getByText('+4 more files').waitFor()
  const linkedin = previewOn(page, 'LinkedIn')
  const body = linkedin.locator('.body').first()
  expect(await body.textContent()).toMatch(/^Rye and wheat[\s\S]{190,230}… more of the text on LinkedIn$/)
  await linkedin.getByText(/^Also to /).waitFor()
  await loaded(page)
  await phone.photograph(`preview-${look[0]}`)
  await expectAccessible(page, 'preview')
  await linkedin.getByRole('button', { name: '… more of the text on LinkedIn' }).click()
  expect(await body.textContent()).toContain('Come early. End')
  expect(wrong(phone)).toEqual([])
})

test.each(looks)('a thread of three stands in its order on a %s, %o, in %s', async (...look) => {
  const phone = await compose(...look)
  const { page } = phone
  await choose(page, 'Bluesky')
  await page.getByLabel('Text', { exact: true }).fill('First, we feed the starter.')
  await page.getByRole('button', { name: 'Turn into thread' }).click()
  await page.getByLabel('Text of post 2').fill('Then it rests: eight hours, no less. #patience')
  await page.getByRole('button', { name: 'Add post' }).click()
  await page.getByLabel('Text of post 3').fill('Last, the oven.')
  const second = page.getByRole('group', { name: 'Post 2 of 3' })
  // Bytes that the library does not have.
  const own = looks.findIndex(([name, , scheme]) => name === look[0] && scheme === look[2])
  const file = { name: 'rest.png', mimeType: 'image/png', buffer: await loaf(`rgb(0, 120, ${own})`) }
  let letIn = () => {}
  const isLetIn = new Promise<void>((resolve) => {
    letIn = resolve
  })
  await page.route('**/api/media/complete', (route) => isLetIn.then(() => route.continue()))
  await second.getByLabel('Add files').setInputFiles(file)
  const bluesky = previewOn(page, 'Bluesky')
  await bluesky.getByText('rest.png (not uploaded yet)').waitFor()
  await second.getByLabel('Alt text for rest.png').fill('A dough at rest')
  letIn()
  await bluesky.locator('.said').nth(1).getByRole('img', { name: 'A dough at rest' }).waitFor()
  await second.getByLabel('Alt text for rest.png').fill('A dough, after eight hours')
  await bluesky.locator('.said').nth(1).getByRole('img', { name: 'A dough, after eight hours' }).waitFor()
  expect(await bluesky.locator('.body').allTextContents()).toEqual([
    'First, we feed the starter.',
    'Then it rests: eight hours, no less. #patience',
    'Last, the oven.',
  ])
  await loaded(page)
  await phone.photograph(`preview-thread-${look[0]}`)
  await expectAccessible(page, 'preview of a thread')
  expect(wrong(phone)).toEqual([])
})

test.each(looks)('a hostile text does no harm on a %s, %o, in %s', async (...look) => {
  const phone = await compose(...look)
  const { page } = phone
  await choose(page, 'Mastodon', 'TikTok')
  const markup = '<img src="https://evil.example/x" onerror="document.title=1"><script>document.title=2</script>'
  const text = `שלום \u202Eevil\n${markup}\n${'W'.repeat(400)}\n${'@a #b '.repeat(200)}${'\u{1F35E}'.repeat(50_000)}`
  await page.getByLabel('Text', { exact: true }).fill(text)
  await page.getByRole('textbox', { name: 'First comment' }).fill(markup)
  const body = previewOn(page, 'Mastodon').locator('.body').first()
  await expect.poll(() => body.textContent()).toContain(markup)
  expect(await page.evaluate("getComputedStyle(document.querySelector('.preview .body')).direction")).toBe('rtl')
  const shown = (await body.textContent()) ?? ''
  expect(shown.length).toBeLessThanOrEqual(3_000)
  expect(text.startsWith(shown)).toBe(true)
  expect(shown.isWellFormed()).toBe(true)
  await previewOn(page, 'Mastodon')
    .getByText(`The preview leaves out the last ${(text.length - shown.length).toLocaleString('en')} characters.`)
    .waitFor()
  expect(await page.locator('.previews img:not(.avatar img), .previews script').count()).toBe(0)
  expect(phone.requested.filter((url) => url.includes('evil'))).toEqual([])
  expect(await page.title()).toContain('Social Publishing')
  await phone.photograph(`preview-hostile-${look[0]}`)
  await expectAccessible(page, 'preview of a hostile text')
  expect(wrong(phone)).toEqual([])
})
