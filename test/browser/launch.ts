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

/** A browser of its own, without anything of an earlier one. */
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

/** A phone: its page, what went wrong on it, which addresses it asked, and a camera that writes where PHOTOS says. */
export const openPhone = async (browser: Browser, colorScheme: 'light' | 'dark', viewport = phoneSize) => {
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: viewport === phoneSize ? 2 : 1 })
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.push(request.url())
  })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // What a page was meant to refuse is told by its status: the browser notes that too.
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
  return { page, complaints, asked, photograph }
}

export type Phone = {
  page: Page
  complaints: readonly string[]
  asked: readonly string[]
  photograph: (name: string) => Promise<void>
}
