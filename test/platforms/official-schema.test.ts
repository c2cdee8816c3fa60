import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { discordSeed } from '../../infra/local/platforms/discord.ts'
import { officialCheck } from '../../infra/local/platforms/official-schema.ts'
import { startSite } from './site.ts'

const site = await startSite()
beforeEach(() => site.platforms.reset())
afterAll(() => site.close())

const Refusal = z.object({ code: z.optional(z.number()), errors: z.optional(z.unknown()) })

const channel = discordSeed.channels.find(({ name }) => name === 'general')?.id

/** Sends a message as it is to Discord's stand-in. */
async function say(message: object) {
  const headers = {
    authorization: `Bot ${discordSeed.botToken}`,
    'user-agent': 'DiscordBot (https://service.test, 1.0)',
    'content-type': 'application/json',
  }
  const address = `${site.platforms.urls['discord']}/api/v10/channels/${channel}/messages`
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(message) })
  return { status: answer.status, ...z.parse(Refusal, await answer.json()) }
}

test('Discord’s stand-in accepts what the official schema allows, and rejects the rest with its path', async () => {
  const good = { content: 'Hi', nonce: 'n', enforce_nonce: true, allowed_mentions: { parse: [] }, tts: false }
  expect(await say(good)).toMatchObject({ status: 200 })
  const refused = (errors: object) => ({ status: 400, code: 50035, errors })
  expect(await say({ ...good, contents: 'x' })).toMatchObject(refused({ contents: { _errors: [{}] } }))
  expect(await say({ ...good, tts: 'no' })).toMatchObject(refused({ tts: { _errors: [{}] } }))
  expect(await say({ ...good, flags: 'x' })).toMatchObject(refused({ flags: { _errors: [{}] } }))
  expect(await say({ ...good, allowed_mentions: { parse: ['strangers'] } })).toMatchObject({ status: 400 })
  expect(await say({ ...good, content: 'x'.repeat(2001) })).toMatchObject({ status: 400 })
})

test('a schema check names every path, also of an unknown field', () => {
  const check = officialCheck('pinterest/schema/pinterest.json', 'BoardCreate')
  expect(check({ name: 'Soups', privacy: 'SECRET' })).toEqual([])
  expect(check({ name: 'Soups', color: 'red' }).map(({ path }) => path)).toEqual([['color']])
  expect(check({ privacy: 'HIDDEN' }).length).toBeGreaterThan(1)
})

test('checks a corrected field as the documents say', () => {
  const corrected = officialCheck('pinterest/schema/pinterest.json', 'BoardCreate', {
    BoardCreate: { name: { type: 'string', maxLength: 3 } },
  })
  expect(corrected({ name: 'abc' })).toEqual([])
  expect(corrected({ name: 'abcd' }).map(({ path }) => path)).toEqual([['name']])
})
