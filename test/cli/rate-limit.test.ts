import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from '../support/start.ts'
import { makeSocial } from './social.ts'

test('a bulk waits for the rate limit, and sends every row once', async () => {
  const calls = { calls: 12, perSeconds: 3 }
  const plenty = { calls: 1_000, perSeconds: 60 }
  const rateLimits = { general: calls, auth: plenty, cli: plenty, ai: plenty }
  const kit = await start({ time: 'real', rateLimits })
  const social = await makeSocial({
    SOCIAL_BASE_URL: kit.url,
    SOCIAL_TOKEN: kit.pat,
    SOCIAL_WORKSPACE: kit.workspaceId,
  })
  onTestFinished(social.remove)
  const rows = Array.from({ length: 30 }, (_, n) => `bluesky,Limited ${n},tomorrow 9:00`)
  writeFileSync(join(social.home, 'limited.csv'), `accounts,content,at\n${rows.join('\n')}\n`)
  expect(await social.json(['bulk', 'limited.csv'])).toMatchObject({
    code: 0,
    data: { accepted: 30, unknown: 0, failed: 0 },
  })
  const { data } = await social.json(['posts', 'list', '--limit', '200'])
  expect(new Set(data.map(({ content }: { content: string }) => content)).size).toBe(30)
  expect(data).toHaveLength(30)
}, 180_000)
