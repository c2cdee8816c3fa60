import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { discordSeed } from '../../infra/local/platforms/discord.ts'
import { officialAnswers, officialCheck } from '../../infra/local/platforms/official-schema.ts'
import { pinterest } from '../../shared/platforms/pinterest/connect.ts'
import { png } from '../media/files.ts'
import { authorize } from './arrive.ts'
import { boardId } from './pinterest-visit.ts'
import { startSite } from './site.ts'

const site = await startSite()
beforeEach(() => site.platforms.reset())
afterAll(() => site.close())

const Answer = z.object({
  code: z.optional(z.number()),
  errors: z.optional(z.unknown()),
  author: z.optional(z.unknown()),
})

const channel = discordSeed.channels.find(({ name }) => name === 'general')?.id

/** Sends a message unchanged to Discord's stand-in. */
async function say(message: object) {
  const headers = {
    authorization: `Bot ${discordSeed.botToken}`,
    'user-agent': 'DiscordBot (https://service.test, 1.0)',
    'content-type': 'application/json',
  }
  const address = `${site.platforms.urls['discord']}/api/v10/channels/${channel}/messages`
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(message) })
  return { status: answer.status, ...z.parse(Answer, await answer.json()) }
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

test('Discord’s stand-in shows authors as the official schema has them', async () => {
  const check = officialCheck('discord/schema/discord.json', 'UserResponse')
  const { author } = await say({ content: 'Hi' })
  expect(check(author)).toEqual([])
  expect(check({ ...discordSeed.bot }).length).toBeGreaterThan(0)
})

test('Pinterest’s stand-in shows Pins as the official schema has them', async () => {
  const { credentials } = await authorize(site.ctx(), pinterest)
  const headers = { authorization: `Bearer ${credentials['accessToken']}`, 'content-type': 'application/json' }
  const call = (path: string, body?: object) =>
    fetch(`${site.platforms.urls['pinterest']}/v5${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const image = { source_type: 'image_base64', content_type: 'image/png', data: png(400, 600).toString('base64') }
  expect(await call('/pins', { board_id: boardId, title: 'A dot', media_source: image })).toMatchObject({ status: 201 })
  const { items } = z.parse(
    z.object({ items: z.array(z.unknown()) }),
    await (await call(`/boards/${boardId}/pins`)).json(),
  )
  const check = officialCheck('pinterest/schema/pinterest.json', 'Pin')
  expect(items.flatMap((pin) => check(pin))).toEqual([])
  const size = { width: 1200, height: 1800, url: expect.any(String) }
  expect(items).toMatchObject([
    { created_at: '2026-11-21T12:00:00.000Z', media: { media_type: 'image', images: { '1200x': size } } },
  ])
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

test('an answer is checked by its operation, its status, and its media type', () => {
  const check = officialAnswers('x/schema/answers.json')
  const json = { type: 'application/json' }
  const made = { method: 'POST', path: '/2/tweets', status: 201, ...json }
  const tweet = { id: '1', text: 'Hi', edit_history_post_ids: ['1'] }
  expect(check({ ...made, body: { data: tweet } })).toEqual([])
  expect(check({ ...made, body: { data: { ...tweet, color: 'red' } } })?.map(({ path }) => path)).toContainEqual([
    'data',
    'color',
  ])
  expect(check({ ...made, body: { data: { id: '1' } } })).toMatchObject([{ path: ['data'] }])
  expect(check({ ...made, body: { data: { ...tweet, id: 'x' } } })).toMatchObject([{ path: ['data', 'id'] }])
  const problem = { title: 'Forbidden', detail: 'No', type: 'about:blank', status: 403 }
  const refused = { ...made, status: 403, body: problem }
  expect(check({ ...refused, type: 'application/problem+json' })).toEqual([])
  expect(check(refused)?.length).toBeGreaterThan(0)
  expect(check({ ...refused, type: 'text/html' })).toMatchObject([{ message: 'must not be text/html' }])
  expect(check({ ...made, path: '/2/tweets/1', method: 'PUT' })).toBeUndefined()
  expect(check({ ...made, status: 500, body: { code: 1, message: 'Trouble' } })).toEqual([])
})

test('an answer without a body is checked, and the more specific template matches', () => {
  const discord = officialAnswers('discord/schema/answers.json')
  const removed = { method: 'DELETE', path: '/channels/1/messages/2', status: 204, type: '' }
  expect(discord(removed)).toEqual([])
  expect(discord({ ...removed, type: 'application/json', body: {} })).toMatchObject([{ path: [] }])
  expect(discord({ ...removed, method: 'GET', path: '/users/@me', status: 200 })?.length).toBeGreaterThan(0)
})
