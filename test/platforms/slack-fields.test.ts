import { expect, test } from 'vitest'
import { slack } from '../../shared/platforms/slack/publish.ts'
import { failureOf } from './site.ts'
import { channelId, visitSlack } from './slack-visit.ts'

const { site, platforms, open, publish, armed, sent, jsonOf, fault } = await visitSlack()

const metadata = { channelId: channelId('general') }
const section = { type: 'section', text: { type: 'mrkdwn', text: '*Bread* for <!here>' } }

test('a text, Markdown, and blocks differ only in what the message says', async () => {
  const rest = {
    channel: 'C0DEMO001',
    unfurl_links: true,
    unfurl_media: true,
    metadata: { event_type: 'svc_post', event_payload: { post_id: 'post_1', v: '3' } },
  }
  const text = '# Tea & <@U1>\n> a quote'
  const say = async (more: object) => {
    await publish(await open({ id: 'post_1', version: 3, text, metadata: { ...metadata, ...more } }))
    return jsonOf('create')
  }
  expect(await say({ format: 'markdown' })).toEqual({ ...rest, markdown_text: '# Tea & &lt;@U1>\n> a quote' })
  const escaped = '# Tea &amp; &lt;@U1&gt;\n&gt; a quote'
  expect(await say({ blocks: [section] })).toEqual({ ...rest, text: escaped, blocks: [section] })
  expect(platforms.published()).toMatchObject([
    { text: '# Tea & <@U1>\n> a quote', extras: ['Markdown'] },
    { text: '# Tea & <@U1>\n> a quote', extras: ['blocks: section'] },
  ])
})

test('a post replies in a thread, and is looked for among the replies', async () => {
  const { id: threadTs, url } = await publish(await open({ text: 'The first' }))
  const call = await open({ id: 'post_2', text: 'A reply', metadata: { ...metadata, threadTs, isBroadcast: true } })
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await publish(call)
  expect(jsonOf('create')).toMatchObject({ thread_ts: threadTs, reply_broadcast: true })
  expect(platforms.published()[1]).toMatchObject({ replyTo: url, extras: ['shown in the channel'] })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  expect(sent('read').at(-1)?.path).toBe('/api/conversations.replies')
  await publish(await open({ metadata: { ...metadata, threadTs, isBroadcast: false } }))
  expect(jsonOf('create')).not.toHaveProperty('reply_broadcast')
  const missing = await open({ metadata: { ...metadata, threadTs: '1763712345.678909' } })
  expect(await failureOf(publish(missing))).toMatchObject({ errorClass: 'invalid' })
})

test('files reply in a thread', async () => {
  const { id: threadTs, url } = await publish(await open({ text: 'The first' }))
  const call = await open({ text: 'Look', media: [await site.file()], metadata: { ...metadata, threadTs } })
  const attempt = await armed(call)
  const landed = await slack.commit(call, attempt.ref, 'key:1', undefined)
  const { files, ...rest } = jsonOf('create')
  expect(files).toHaveLength(1)
  expect(rest).toEqual({ channel_id: 'C0DEMO001', initial_comment: 'Look', thread_ts: threadTs })
  expect(platforms.published()[1]).toMatchObject({ text: 'Look', replyTo: url })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
})

test('a comment under a reply stands in the thread of the reply', async () => {
  const { id: threadTs } = await publish(await open({ text: 'The first' }))
  const { id: replyTo } = await publish(await open({ metadata: { ...metadata, threadTs } }))
  for (const fileId of [replyTo ?? '', 'F0SHARED']) {
    await publish(await open({ text: 'The comment', replyTo: fileId, metadata: { ...metadata, threadTs } }))
    expect(jsonOf('create')).toMatchObject({ text: 'The comment', thread_ts: threadTs })
  }
})

test('without metadata any message of the app may be Markdown that Slack shows in another form', async () => {
  const call = await open({ text: '# Title', metadata: { ...metadata, format: 'markdown' } })
  const attempt = await armed(call)
  const posted = {
    type: 'message',
    user: 'U0DEMOBOT1',
    text: 'Title',
    ts: `${Math.floor(site.now() / 1000) + 1}.000000`,
  }
  const probe = (message: object) => {
    fault({ fault: 'status', status: 200, operation: 'read', body: { ok: true, messages: [message] } })
    return slack.probe(call, attempt)
  }
  expect(await probe(posted)).toEqual({ kind: 'unclear' })
  expect(await probe({ ...posted, user: 'U1' })).toEqual({ kind: 'absent' })
  const payload = { post_id: call.post.id, v: String(call.post.version) }
  const ours = { ...posted, metadata: { event_type: 'svc_post', event_payload: payload } }
  expect(await probe(ours)).toMatchObject({ kind: 'published', id: posted.ts })
})

test('an edit keeps Markdown and blocks', async () => {
  for (const [more, content] of [
    [{ format: 'markdown' }, { markdown_text: 'A & &lt;B> ' }],
    [{ blocks: [section] }, { text: 'A &amp; &lt;B&gt; ', blocks: [section] }],
  ] as const) {
    const call = await open({ metadata: { ...metadata, ...more } })
    const { id } = await publish(call)
    const shown = platforms.published().at(-1)
    await slack.edit?.({ ...call, post: { ...call.post, text: 'A & <B> ' } }, id ?? '')
    expect(jsonOf('edit')).toEqual({ channel: 'C0DEMO001', ts: id, ...content, parse: 'none', link_names: false })
    expect(platforms.published().at(-1)).toEqual({ ...shown, text: 'A & <B> ' })
  }
})

test('the stand-in rejects what Slack rejects', async () => {
  const call = await open()
  const say = async (json: object) => {
    const answer = await fetch(`${platforms.urls['slack']}/api/chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify({ channel: 'C0DEMO001', ...json }),
    })
    return answer.json()
  }
  expect(await say({ blocks: [section] })).toMatchObject({ ok: true })
  for (const [json, error] of [
    [{ markdown_text: 'a', text: 'a' }, 'markdown_text_conflict'],
    [{ markdown_text: 'a', blocks: [section] }, 'markdown_text_conflict'],
    [{ markdown_text: 'a'.repeat(12_001) }, 'msg_too_long'],
    [{ text: 'a', blocks: Array(51).fill(section) }, 'invalid_blocks'],
    [{ text: 'a', blocks: [{ type: 'secton' }] }, 'invalid_blocks'],
    [{ text: 'a', blocks: [{ type: 'section' }] }, 'invalid_blocks'],
    [{ text: 'a', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a'.repeat(3001) } }] }, 'invalid_blocks'],
    [{ text: 'a', blocks: [{ type: 'header', text: { type: 'mrkdwn', text: 'a' } }] }, 'invalid_blocks'],
    [{ text: 'a', thread_ts: '1.000000' }, 'cannot_reply_to_message'],
    [{ text: ' ' }, 'no_text'],
    [{ markdown_text: 'Tea for <@U1>' }, 'invalid_blocks_format'],
  ] as const) {
    expect(await say(json)).toEqual({ ok: false, error })
  }
})

test('the stand-in takes a read and an edit in each form that Slack documents', async () => {
  const { account } = await open()
  const call = async (method: string, body: string, type: string): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${account.credentials['accessToken']}`, 'content-type': type }
    return (
      await fetch(`${platforms.urls['slack']}/api/${method}`, { method: 'POST', headers, body })
    ).json() as Promise<Record<string, unknown>>
  }
  const json = (method: string, body: object) => call(method, JSON.stringify(body), 'application/json; charset=utf-8')
  const channel = channelId('general')
  const posted = await json('chat.postMessage', { channel, text: 'Tea' })
  expect(await json('chat.update', { channel, ts: posted['ts'], text: 'More tea' })).toMatchObject({ ok: true })
  for (const flag of ['1', 'true']) {
    const form = new URLSearchParams({ channel, include_all_metadata: flag, limit: '1' })
    const read = await call('conversations.history', `${form}`, 'application/x-www-form-urlencoded')
    expect(read).toMatchObject({ ok: true, messages: [{ text: 'More tea' }] })
  }
})
