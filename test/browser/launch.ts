import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A new browser without state of an earlier one. */
export const launch = async (): Promise<Browser> => {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no browser at ${executablePath}: install one (apt-get install chromium) or name it in CHROMIUM.`,
    )
  }
  return chromium.launch({ executablePath, args: flags })
}

/** The two sizes at which pages are looked at. */
export const phoneSize = { width: 390, height: 844 }
export const deskSize = { width: 1280, height: 900 }

/** A phone: its page, its errors, the URLs it requested, and a camera that writes to the folder of PHOTOS. */
export const openPhone = async (browser: Browser, colorScheme: 'light' | 'dark', viewport = phoneSize) => {
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: viewport === phoneSize ? 2 : 1 })
  const page = await context.newPage()
  const requested: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url())
  })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The status of a page shows an expected refusal: the browser logs that as well.
    if (!/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  page.on('requestfailed', (request) => {
    const fault = request.failure()?.errorText
    // A page that is left before its script has loaded.
    if (fault !== 'net::ERR_ABORTED') complaints.push(`${request.url()} ${fault}`)
  })
  const photograph = async (name: string) => {
    const folder = process.env['PHOTOS']
    if (folder === undefined) return
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true })
  }
  return { page, complaints, requested, photograph }
}

export type Phone = {
  page: Page
  complaints: readonly string[]
  requested: readonly string[]
  photograph: (name: string) => Promise<void>
}
