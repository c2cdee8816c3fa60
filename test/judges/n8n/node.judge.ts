import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createClient } from '../../../infra/clients/javascript/src/index.ts'
import { png } from '../../media/files.ts'
import { useService } from '../../start/one-service.ts'
import { openEngine } from './engine.ts'

const local = useService()
let token: string | undefined
let engine: Awaited<ReturnType<typeof openEngine>>
beforeAll(async () => {
  engine = await openEngine(() => {
    const { baseUrl, pat, workspaceId } = local.service
    return { socialPublishingApi: { baseUrl, accessToken: token ?? pat, workspaceId } }
  })
})
afterAll(() => engine?.close())

let tests = 0
let text: string
beforeEach(() => {
  token = undefined
  tests += 1
  text = `Test ${tests} of n8n.`
})

const client = () => {
  const { baseUrl, pat, workspaceId } = local.service
  return createClient({ baseUrl, token: pat, workspaceId })
}

const postOf = (operation: string, more: object = {}) => ({
  resource: 'post',
  operation,
  accounts: [local.service.accounts['bluesky']],
  content: text,
  ...more,
})

const Published = z.array(z.looseObject({ platform: z.string(), text: z.string() }))
const live = async () =>
  Published.parse(await (await fetch(`${local.service.platformsUrl}/published`)).json()).filter((post) =>
    post.text.includes(text),
  )

const idOf = ({ output }: Awaited<ReturnType<typeof engine.run>>, at = 0) => String(output[at]?.json['id'])

test('publishes to several accounts, with one item for each, paired with its input', async () => {
  const { bluesky, mastodon } = local.service.accounts
  const result = await engine.run({ parameters: postOf('publish', { accounts: [bluesky, mastodon] }) })
  expect(result.error).toBeUndefined()
  expect(result.output).toMatchObject([
    { json: { status: 'scheduled', platform: 'bluesky' }, pairedItem: { item: 0 } },
    { json: { status: 'scheduled', platform: 'mastodon' }, pairedItem: { item: 0 } },
  ])
  for (const at of [0, 1]) await client().posts.waitUntilPublished(idOf(result, at))
  expect((await live()).map(({ platform }) => platform).sort()).toEqual(['bluesky', 'mastodon'])
})

test('an execution that runs twice publishes once; another execution, and another item, publish again', async () => {
  const parameters = postOf('publish')
  const items = [{ json: { n: 1 } }, { json: { n: 2 } }]
  const first = await engine.run({ parameters, items, executionId: '17' })
  const again = await engine.run({ parameters, items, executionId: '17' })
  expect([first.output.length, again.output.map(({ json }) => json['id'])]).toEqual([
    2,
    first.output.map(({ json }) => json['id']),
  ])
  const other = await engine.run({ parameters, items, executionId: '18' })
  expect(new Set([...first.output, ...other.output].map(({ json }) => json['id'])).size).toBe(4)
})

test('a retry of a failed execution publishes no item twice, though n8n gives it another ID', async () => {
  const staticData = {}
  const items = [{ json: { message: 'fits' } }, { json: { message: 'long '.repeat(100) } }]
  const parameters = postOf('publish', { content: `=${text} {{ $json.message }}` })
  const failed = await engine.run({ parameters, items, staticData })
  expect(failed.error?.message).toContain('characters')
  const corrected = postOf('publish', { content: `=${text} {{ $json.message.slice(0, 50) }}` })
  const retried = await engine.run({ parameters: corrected, items, staticData, mode: 'retry' })
  expect(retried.output).toHaveLength(2)
  const { items: posts } = await client().posts.list({ q: text })
  expect(posts.map(({ content }) => content).sort()).toEqual([`${text} fits`, `${text} ${'long '.repeat(10)}`].sort())
})

test('your own key holds for all executions', async () => {
  const parameters = postOf('publish', { additionalFields: { idempotencyKey: '={{ $json.guid }}' } })
  const items = [{ json: { guid: 'article-1' } }]
  const [first, second] = [await engine.run({ parameters, items }), await engine.run({ parameters, items })]
  expect(idOf(first)).toBe(idOf(second))
  const other = await engine.run({ parameters, items: [{ json: { guid: 'article-2' } }] })
  expect(idOf(other)).not.toBe(idOf(first))
})

test('schedules on the clocks of the workflow, reads, moves, lists, and cancels', async () => {
  const scheduled = await engine.run({
    parameters: postOf('schedule', {
      scheduledAt: '2030-07-01T09:00:00',
      additionalFields: { externalId: 'n8n-1', firstComment: 'The recipe is on our site.' },
    }),
  })
  const postId = idOf(scheduled)
  expect(scheduled.output[0]?.json).toMatchObject({ scheduledAt: '2030-07-01T07:00:00.000Z', externalId: 'n8n-1' })
  const at = (operation: string, more: object = {}) =>
    engine.run({ parameters: { resource: 'post', operation, postId, ...more } })
  expect((await at('get')).output[0]?.json).toMatchObject({ id: postId, status: 'scheduled', content: text })
  const moved = await at('reschedule', { scheduledAt: '2030-08-01T09:00:00+02:00' })
  expect(moved.output[0]?.json).toMatchObject({ scheduledAt: '2030-08-01T07:00:00.000Z' })
  const listed = await at('getAll', { returnAll: true, filters: { externalId: 'n8n-1' } })
  expect(listed.output.map(({ json }) => json['id'])).toEqual([postId])
  expect((await at('getAll', { limit: 1 })).output).toHaveLength(1)
  expect((await at('cancel')).error).toBeUndefined()
  expect((await at('get')).output[0]?.json).toMatchObject({ status: 'cancelled' })
})

test('uploads the file of an item, and posts it with its metadata', async () => {
  const binary = { data: { data: png(40, 30).toString('base64'), mimeType: 'image/png', fileName: 'dot.png' } }
  const parameters = { resource: 'media', operation: 'upload', binaryPropertyName: 'data', altText: 'A dot' }
  const uploaded = await engine.run({ parameters, items: [{ json: {}, binary }] })
  expect(uploaded.error).toBeUndefined()
  expect(uploaded.output[0]?.json).toMatchObject({ originalFilename: 'dot.png', altText: 'A dot' })
  const [channel] = (await client().socialAccounts.slackChannels()).channels
  const posted = await engine.run({
    parameters: postOf('validate', {
      accounts: [local.service.accounts['slack']],
      additionalFields: {
        mediaUrls: `${idOf(uploaded)}, `,
        metadata: JSON.stringify({ slack: { channelId: channel?.id } }),
      },
    }),
  })
  expect(posted.output[0]?.json).toMatchObject({ valid: true, issues: [] })
})

test('lists the accounts, also for the field', async () => {
  const { output } = await engine.run({ parameters: { resource: 'account', operation: 'getAll' } })
  expect(output.map(({ json }) => json['providerId'])).toContain('bluesky')
  const node = engine.nodeWith({})
  const workflow = engine.workflowOf(node, [], {})
  const context = new engine.core.LoadOptionsContext(workflow, node, engine.additionalData('0'), '')
  const list = engine.nodeTypes.getByName(node.type).methods?.loadOptions?.['listAccounts']
  const options = (await list?.call(context)) ?? []
  expect(options).toContainEqual({
    name: expect.stringMatching(/^bluesky: \w/),
    value: local.service.accounts['bluesky'],
  })
})

test('an error has the sentence of the service, the field, the rule, and the fix', async () => {
  const { error } = await engine.run({ parameters: postOf('publish', { content: 'long '.repeat(100) }) })
  expect(error?.name).toBe('NodeApiError')
  expect(error).toMatchObject({
    httpCode: '400',
    description: expect.stringMatching(/^content: .*\d+\/300.* Shorten the text by \d+ characters\./),
  })
  expect(error?.description).toMatch(/Code \w+, .*request \S+/)
  const missing = await engine.run({ parameters: { resource: 'post', operation: 'get', postId: 'nope' } })
  expect(missing.error).toMatchObject({ message: 'This workspace has no post nope.', httpCode: '404' })
})

test('a wrong token is refused with the sentence of the service', async () => {
  token = 'svc_pat_0123456789abcdef_wrong'
  const { error } = await engine.run({ parameters: postOf('publish') })
  expect(error).toMatchObject({ httpCode: '401', description: expect.stringContaining('Code ') })
  expect(JSON.stringify(error)).not.toContain(token)
})

test('a node that continues after errors has one item for each, with its reason', async () => {
  const items = [{ json: { message: 'long '.repeat(100) } }, { json: { message: 'fits' } }]
  const { output, error } = await engine.run({
    parameters: postOf('publish', { content: `=${text} {{ $json.message }}` }),
    items,
    continues: true,
  })
  expect(error).toBeUndefined()
  expect(output).toMatchObject([
    { json: { code: expect.any(String), status: 400, issues: [{ code: 'content_length' }] }, pairedItem: { item: 0 } },
    { json: { content: `${text} fits` }, pairedItem: { item: 1 } },
  ])
})

test('texts of others stay texts', async () => {
  const hostile = '{{ $env.HOME }} <script>alert(1)</script> =1+1 "quoted" \\ \u202e'
  const result = await engine.run({
    parameters: postOf('publish', { content: `={{ $json.message }}` }),
    items: [{ json: { message: `${text} ${hostile}` } }],
  })
  expect(result.output[0]?.json).toMatchObject({ content: `${text} ${hostile}` })
})

test.each([
  [{ scheduledAt: 'tomorrow' }, 'Time is "tomorrow".'],
  [{ scheduledAt: '2020-01-01T09:00:00Z' }, 'must be in the future'],
  [
    { scheduledAt: '2030-01-01T09:00:00Z', additionalFields: { metadata: '[1]' } },
    'Metadata is not a JSON object by platform.',
  ],
  [{ scheduledAt: '2030-01-01T09:00:00Z', accounts: ['acc_nobody'] }, 'acc_nobody'],
])('%j is refused', async (more, sentence) => {
  const { error } = await engine.run({ parameters: postOf('schedule', more) })
  expect(error?.message).toContain(sentence)
})
