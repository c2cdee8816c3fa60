import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../media/files.ts'
import { type Kit, start } from '../support/start.ts'
import { allScopes, callTool, connectedAssistant, mcpClient } from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const picture = png(30, 20)
const upload = (bytes: Buffer, key: string) => ({
  content: bytes.toString('base64'),
  filename: 'loaf.jpg',
  altText: 'A loaf',
  idempotencyKey: `upload-${key}`,
})
const sized = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])

test('a picture that an assistant made is published on Bluesky, byte for byte', async () => {
  const client = await mcpClient(kit, (await connectedAssistant(kit)).token)
  const { data, error } = await callTool(client, 'upload_media', upload(picture, 'loaf'))
  expect(error).toBeUndefined()
  expect(data).toMatchObject({ mimeType: 'image/png', width: 30, height: 20, altText: 'A loaf' })
  expect((await callTool(client, 'upload_media', upload(picture, 'loaf'))).data).toEqual(data)
  const post = {
    socialAccountIds: [kit.accounts.bluesky],
    content: 'Fresh from the oven',
    mediaUrls: [data['id']],
    idempotencyKey: 'publish-loaf',
  }
  expect((await callTool(client, 'publish_post_now', post)).error).toBeUndefined()
  await kit.service.drain()
  const [live, ...more] = kit.platforms.published()
  expect([live?.platform, live?.text, live?.media.length, more]).toEqual(['bluesky', 'Fresh from the oven', 1, []])
  const shown = await fetch(live?.media[0] ?? '')
  expect(Buffer.from(await shown.arrayBuffer()).equals(picture)).toBe(true)
})

test('a file of 4,000,000 bytes is taken; above, the error names the limit and the other way', async () => {
  const client = await mcpClient(kit, (await connectedAssistant(kit)).token)
  const largest = await callTool(client, 'upload_media', upload(sized(4_000_000), 'most'))
  // The zeros behind the image are not stored.
  expect(largest.data).toMatchObject({ mimeType: 'image/png', fileSize: 72 })
  const above = await callTool(client, 'upload_media', upload(sized(4_000_001), 'above'))
  expect(above.error).toMatch(/at most 4000000 bytes.*public address in "mediaUrls"/)
  expect(above.details).toMatchObject({ code: 'invalid_input', field: 'content' })
  const far = callTool(client, 'upload_media', upload(sized(4_300_000), 'far'))
  await expect(far).rejects.toThrow(/Send at most 5500000\. .*mediaUrls/)
})

test.each([
  ['broken base64', { content: 'a cat' }, /must be base64/, 'invalid_input'],
  ['no bytes', { content: '' }, /at least 1 character/, 'invalid_input'],
  ['half an image', { content: picture.subarray(0, -20).toString('base64') }, /cut off/, 'media_truncated'],
  ['a web page', { content: Buffer.from('<html>').toString('base64') }, /is a web page/, 'media_type'],
])('%s is an error that says what to send', async (_, wrong, error, code) => {
  const client = await mcpClient(kit, (await connectedAssistant(kit)).token)
  const answer = await callTool(client, 'upload_media', { ...upload(picture, 'wrong'), ...wrong })
  expect(answer.error).toMatch(error)
  expect(answer.details).toMatchObject({ code, field: 'content' })
})

test('a connection for drafts only, or without the scope, uploads nothing', async () => {
  const { items } = await kit.api.media.list()
  const drafts = await mcpClient(kit, (await connectedAssistant(kit, { fields: { drafts_only: 'on' } })).token)
  expect((await callTool(drafts, 'upload_media', upload(picture, 'drafts'))).details).toMatchObject({
    code: 'assistant_drafts_only',
  })
  const scope = allScopes.replace('media:write ', '')
  const reader = await mcpClient(kit, (await connectedAssistant(kit, { scope })).token)
  expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain('upload_media')
  expect((await kit.api.media.list()).items).toEqual(items)
})
