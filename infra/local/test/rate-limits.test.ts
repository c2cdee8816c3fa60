import { afterAll, beforeAll, expect, test } from 'vitest'
import { discordSeed } from '../platforms/discord/seed.ts'
import { redditSeed } from '../platforms/reddit/seed.ts'
import { type Platforms, startPlatforms } from '../platforms/start.ts'

let now = Date.UTC(2026, 10, 29, 12)
let platforms: Platforms
let unlimited: Platforms
beforeAll(async () => {
  platforms = await startPlatforms({ clock: { now: () => now }, limitsCalls: true })
  unlimited = await startPlatforms({ clock: { now: () => now } })
})
afterAll(async () => {
  await Promise.all([platforms.close(), unlimited.close()])
})

const channel = `/api/v10/channels/${discordSeed.channels.find(({ name }) => name === 'general')?.id}/messages`
const asBot = { authorization: `Bot ${discordSeed.botToken}`, 'user-agent': 'DiscordBot (https://a.test, 1)' }
const { clientId, redditUser } = redditSeed.app
const asReddit = { 'user-agent': `web:${clientId}:1.0 (by /u/${redditUser})` }
const json = { 'content-type': 'application/json' }

interface Limit {
  platform: string
  path: string
  init?: RequestInit
  max: number
  perSeconds: number
  /** The header that says how many calls are left. */
  left: string
}

const limits: readonly Limit[] = [
  {
    platform: 'discord',
    path: channel,
    max: 5,
    perSeconds: 5,
    left: 'x-ratelimit-remaining',
    init: { method: 'POST', headers: { ...asBot, ...json }, body: '{"content":"x"}' },
  },
  {
    platform: 'discord',
    path: channel,
    init: { headers: asBot },
    max: 50,
    perSeconds: 1,
    left: 'x-ratelimit-remaining',
  },
  {
    platform: 'x',
    path: '/2/tweets',
    max: 100,
    perSeconds: 900,
    left: 'x-rate-limit-remaining',
    init: { method: 'POST', headers: json, body: '{"text":"x"}' },
  },
  { platform: 'pinterest', path: '/v5/user_account', max: 100, perSeconds: 60, left: 'x-ratelimit-remaining' },
  { platform: 'mastodon', path: '/api/v2/instance', max: 300, perSeconds: 300, left: 'x-ratelimit-remaining' },
  {
    platform: 'reddit',
    path: '/api/v1/me',
    init: { headers: asReddit },
    max: 1000,
    perSeconds: 600,
    left: 'x-ratelimit-remaining',
  },
  {
    platform: 'bluesky',
    path: '/xrpc/com.atproto.server.getSession',
    max: 3000,
    perSeconds: 300,
    left: 'ratelimit-remaining',
  },
]

test.each(
  limits,
)('$platform refuses call $max + 1 to $path in $perSeconds s, and none of the next window', async (limit) => {
  const { platform, path, init = {}, max, perSeconds, left } = limit
  const request = async (where: Platforms) => {
    const answer = await fetch(`${where.urls[platform]}${path}`, init)
    await answer.arrayBuffer()
    return answer
  }
  now = (Math.floor(now / 3_600_000) + 1) * 3_600_000
  for (let n = 1; n < max; n += 1) expect((await request(platforms)).status).not.toBe(429)
  const last = await request(platforms)
  expect([last.status === 429, Number(last.headers.get(left))]).toEqual([false, 0])
  const refused = await request(platforms)
  expect([refused.status, Number(refused.headers.get(left))]).toEqual([429, 0])
  now += perSeconds * 1000 - 1
  expect((await request(platforms)).status).toBe(429)
  now += 1
  expect((await request(platforms)).status).not.toBe(429)
})

test('without limits, no call is one too many', async () => {
  const [{ platform, path, init = {}, max, left }] = limits as [Limit]
  for (let n = 0; n <= max; n += 1) {
    const answer = await fetch(`${unlimited.urls[platform]}${path}`, init)
    expect([answer.status, Number(answer.headers.get(left))]).toEqual([200, Math.max(1, max - n - 1)])
  }
})
