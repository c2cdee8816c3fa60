import { expect, test } from 'vitest'
import { startPlatforms } from '../../infra/local/platforms/start.ts'
import { activityLine } from '../../infra/local/start/activity.ts'

test('the terminal says of a lost response that its outcome is looked up', () => {
  const line = { message: 'attempt ended', platform: 'bluesky', postId: '01M', state: 'unknown', errorClass: 'unknown' }
  const shown = activityLine(JSON.stringify({ timestamp: '2026-11-24T08:00:00.000Z', ...line }))
  expect(shown).toContain('outcome unknown, is looked up')
  expect(shown).not.toContain('unknown unknown')
})

test('the platforms page has the same tabs as every other page, Push too', async () => {
  const clock = { now: () => Date.now(), sleep: async () => undefined }
  const [inboxUrl, pushUrl] = ['http://127.0.0.1:4001', 'http://127.0.0.1:4002']
  const platforms = await startPlatforms({ clock: clock as never, inboxUrl, pushUrl })
  const page = await (await fetch(platforms.url)).text()
  await platforms.close()
  expect([...page.matchAll(/<a href="[^"]+"(?: aria-current="page")?>(\w+)<\/a>/g)].map(([, label]) => label)).toEqual([
    ...['Platforms', 'Webhooks', 'Bus', 'Mail', 'Push'],
  ])
})
