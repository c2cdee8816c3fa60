import { isCode, SocialError } from 'social-publishing-client'
import { assert, type Check, same, thrownBy } from './check.ts'

const text = `${Math.random()}`

export const calls: Record<string, Check> = {
  'a call returns the data, and withResponse what the headers say': async ({ client }) => {
    const { data, status, requestId, rateLimit, attempts } = await client.drafts
      .create({ content: text }, { requestId: 'my-id' })
      .withResponse()
    same([data.content, status, requestId, attempts], [text, 201, 'my-id', 1])
    assert(rateLimit !== null && rateLimit.limit > 0 && rateLimit.resetAt instanceof Date, 'the rate limit is read')
    const { etag } = await client.drafts.get(data.id).withResponse()
    assert(etag !== null, 'the ETag is read')
    const changed = await client.drafts.update(data.id, { content: 'Other' }, { ifMatch: etag ?? '' })
    same(changed.content, 'Other')
    const error = await thrownBy(client.drafts.update(data.id, { content: 'Third' }, { ifMatch: etag ?? '' }))
    same(error['status'], 412)
  },

  'an error has the code, the issues, and the request of the service': async ({ client }) => {
    const error = await thrownBy(client.posts.get('nope'))
    assert(error instanceof SocialError, 'it is a SocialError')
    assert(isCode(error, 'post_not_found') && !isCode(error, 'rate_limited'), 'isCode knows it')
    same([error['code'], error['status'], error['attempts']], ['post_not_found', 404, 1])
    assert(String(error['docUrl']).endsWith('/api/docs/errors/post_not_found'), 'it has docUrl')
    assert(typeof error['requestId'] === 'string', 'it has requestId')
    const invalid = await thrownBy(client.posts.schedule({ socialAccountIds: [], content: 'x', scheduledAt: 'x' }))
    same(invalid['code'], 'invalid_input')
    assert((invalid['issues'] as unknown[]).length > 1, 'every invalid field is listed')
    same(isCode(new Error('other'), 'post_not_found'), false)
  },

  'an id that is empty never leaves': async ({ client, arrange, seen }) => {
    await arrange()
    same((await thrownBy(client.posts.get('')))['name'], 'TypeError')
    same((await seen()).length, 0)
  },

  'ids are encoded': async ({ client, arrange, seen }) => {
    await arrange()
    await thrownBy(client.posts.get('../drafts?x=/y'))
    same(
      (await seen()).map(({ path }) => path),
      ['/api/posts/..%2Fdrafts%3Fx%3D%2Fy'],
    )
  },

  'a list yields every item and every page, by cursor': async ({ client }) => {
    const name = `list ${Math.random()}`
    const made = []
    for (let at = 0; at < 5; at += 1) made.push((await client.drafts.create({ content: name })).id)
    const ids: string[] = []
    for await (const draft of client.drafts.list.all({ limit: 2 })) ids.push(draft.id)
    assert(
      made.every((id) => ids.includes(id)),
      'all are there',
    )
    same(new Set(ids).size, ids.length, 'the number of different ids')
    let pages = 0
    for await (const page of client.drafts.list.pages({ limit: 2 })) {
      pages += 1
      assert(page.items.length <= 2, 'a page is as small as asked')
    }
    same(pages, Math.ceil(ids.length / 2))
  },

  'a list without cursors goes on by offset': async ({ make, sessionToken, workspaceId, arrange, seen }) => {
    const client = make({ token: sessionToken })
    await arrange()
    const members = []
    for await (const member of client.team.listMembers.all(workspaceId, { limit: 1 })) members.push(member.userId)
    same(members.length, 1)
    same((await seen())[0]?.path, `/api/workspaces/${workspaceId}/members?limit=1`)
  },

  'the workspace of a path is also in the header': async ({ make, workspaceId, arrange, seen }) => {
    await arrange()
    await make({ workspaceId: undefined }).workspaces.get(workspaceId)
    await make({ workspaceId: 'ws_other' }).withWorkspace(workspaceId).posts.list()
    same(
      (await seen()).map(({ headers }) => headers['x-workspace-id']),
      [workspaceId, workspaceId],
    )
  },

  'any request can be made': async ({ client }) => {
    const page = await client.request<{ limit: number }>('GET', '/api/posts', { query: { limit: 3 } })
    same(page.limit, 3)
  },

  'what has no envelope is returned unchanged': async ({ client }) => {
    same(typeof (await client.meta.health()), 'object')
    same(typeof (await client.meta.guide('webhooks')), 'string')
  },

  'bytes are sent as they are': async ({ client, arrange, seen }) => {
    await arrange({ kind: 'answer', status: 202, body: '{"success":true,"data":{"jobId":"job_1"}}' })
    // The types of the repository know JSON bodies only.
    const recording: unknown = new Blob([new Uint8Array(1000)], { type: 'audio/mpeg' })
    const job = await client.ai.transcribe(recording as Parameters<typeof client.ai.transcribe>[0])
    same(job.jobId, 'job_1')
    same(
      (await seen()).map(({ bytes, headers }) => [bytes, headers['content-type']]),
      [[1000, 'audio/mpeg']],
    )
  },

  'a token function is asked again after a 401, once': async ({ make, token, arrange, seen }) => {
    await arrange()
    const rejectedTokens: (string | undefined)[] = []
    const client = make({
      token: async (rejected) => {
        rejectedTokens.push(rejected)
        return rejected === undefined ? 'svc_pat_old' : token
      },
    })
    same((await client.posts.list({ limit: 1 })).limit, 1)
    same(rejectedTokens, [undefined, 'svc_pat_old'])
    same((await seen()).length, 2)
    const always = await thrownBy(make({ token: () => `svc_pat_${Math.random()}` }).posts.list())
    same([always['code'], always['attempts']], ['unauthenticated', 2])
  },
}
