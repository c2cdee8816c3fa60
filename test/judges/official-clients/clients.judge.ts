import { Readable } from 'node:stream'
import { AtpAgent } from '@atproto/api'
import { REST } from '@discordjs/rest'
import { auth, youtube as youtubeClient } from '@googleapis/youtube'
import { WebClient } from '@slack/web-api'
import { Client as XClient } from '@xdevplatform/xdk'
import { Routes } from 'discord-api-types/v10'
import { createOAuthAPIClient, createRestAPIClient } from 'masto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { discordSeed } from '../../../infra/local/platforms/discord.ts'
import { slack as slackConnector } from '../../../shared/platforms/slack/connect.ts'
import { x as xConnector } from '../../../shared/platforms/x/connect.ts'
import { youtube as youtubeConnector } from '../../../shared/platforms/youtube/connect.ts'
import { png } from '../../media/files.ts'
import { authorize } from '../../platforms/arrive.ts'
import { startSite } from '../../platforms/site.ts'

const site = await startSite()
beforeEach(() => site.platforms.reset())
afterAll(() => site.close())

const originOf = (platform: string) => site.platforms.urls[platform] ?? expect.fail(`no stand-in of ${platform}`)
const textsOn = (platform: string) =>
  site.platforms.published().flatMap((post) => (post.platform === platform ? post.text : []))

const image = png(40, 30)

test('@atproto/api posts a text with an image, reads it, and deletes it', async () => {
  const { handle, appPassword, did } = blueskySeed.account
  const agent = new AtpAgent({ service: originOf('bluesky') })
  await agent.login({ identifier: handle, password: appPassword })
  const { data } = await agent.uploadBlob(image, { encoding: 'image/png' })
  const embed = { $type: 'app.bsky.embed.images', images: [{ alt: 'A dot', image: data.blob }] }
  const { uri, cid } = await agent.post({ text: 'Hello from the client', langs: ['en'], embed })
  const rkey = uri.split('/').at(-1) ?? ''
  expect(await agent.getPost({ repo: did, rkey })).toMatchObject({ cid, value: { text: 'Hello from the client' } })
  expect(textsOn('bluesky')).toEqual(['Hello from the client'])
  await agent.deletePost(uri)
  expect(textsOn('bluesky')).toEqual([])
  await expect(agent.getPost({ repo: did, rkey })).rejects.toMatchObject({ error: 'RecordNotFound' })
  await agent.logout()
})

test('@discordjs/rest sends a message with a file once per nonce, reads it, and deletes it', async () => {
  const rest = new REST({ version: '10', api: `${originOf('discord')}/api` }).setToken(discordSeed.botToken)
  const channel = discordSeed.channels.find(({ name }) => name === 'general')?.id ?? ''
  const message = {
    body: {
      content: 'Hello from the client',
      nonce: '1',
      enforce_nonce: true,
      attachments: [{ id: 0, description: 'A dot' }],
    },
    files: [{ name: 'dot.png', data: image, contentType: 'image/png' }],
  }
  const sent = await rest.post(Routes.channelMessages(channel), message)
  expect(await rest.post(Routes.channelMessages(channel), message)).toMatchObject({ id: expect.any(String) })
  const listed = await rest.get(Routes.channelMessages(channel), { query: new URLSearchParams({ limit: '5' }) })
  expect(listed).toMatchObject([{ content: 'Hello from the client', attachments: [{ filename: 'dot.png' }] }])
  const [{ id }] = listed as [{ id: string }]
  expect(sent).toMatchObject({ id, author: { global_name: null, primary_guild: null } })
  await rest.delete(Routes.channelMessage(channel, id))
  expect(textsOn('discord')).toEqual([])
  await expect(rest.delete(Routes.channelMessage(channel, id))).rejects.toMatchObject({ status: 404, code: 10008 })
})

test('@slack/web-api posts a message and a file, reads them, and deletes the message', async () => {
  const { credentials } = await authorize(site.ctx(), slackConnector)
  const client = new WebClient(String(credentials['accessToken']), {
    slackApiUrl: `${originOf('slack')}/api/`,
    retryConfig: { retries: 0 },
  })
  expect(await client.auth.test()).toMatchObject({ ok: true })
  const { channels = [] } = await client.conversations.list({ limit: 100 })
  const channel = channels.find(({ is_member }) => is_member)?.id ?? expect.fail('a member of no channel')
  const { ts = '' } = await client.chat.postMessage({ channel, text: 'Hello from the client', unfurl_links: false })
  const link = await client.chat.getPermalink({ channel, message_ts: ts })
  expect(link.permalink).toContain(ts.replace('.', ''))
  await client.files.uploadV2({ channel_id: channel, file: image, filename: 'dot.png', initial_comment: 'A file' })
  const { messages } = await client.conversations.history({ channel, limit: 5 })
  expect(messages).toMatchObject([{ text: 'A file' }, { text: 'Hello from the client', ts }])
  await client.chat.delete({ channel, ts })
  expect(textsOn('slack')).toEqual(['A file'])
  await expect(client.chat.delete({ channel, ts })).rejects.toMatchObject({ data: { error: 'message_not_found' } })
})

test('@googleapis/youtube uploads a video, reads it from the channel, and deletes it', async () => {
  const { credentials } = await authorize(site.ctx(), youtubeConnector)
  const login = new auth.OAuth2()
  login.setCredentials({ access_token: String(credentials['accessToken']) })
  const client = youtubeClient({ version: 'v3', auth: login })
  const at = { rootUrl: `${originOf('youtube')}/` }
  const { data } = await client.videos.insert(
    {
      part: ['snippet', 'status'],
      requestBody: {
        snippet: { title: 'Hello from the client', categoryId: '22' },
        status: { privacyStatus: 'public' },
      },
      media: { mimeType: 'video/mp4', body: Readable.from([Buffer.from('a video \r\n of \x00\xff bytes', 'latin1')]) },
    },
    at,
  )
  const id = data.id ?? expect.fail('no id')
  const channels = await client.channels.list({ part: ['contentDetails'], mine: true }, at)
  const playlistId = channels.data.items?.[0]?.contentDetails?.relatedPlaylists?.uploads ?? ''
  const uploads = await client.playlistItems.list({ part: ['snippet', 'contentDetails'], playlistId }, at)
  expect(uploads.data.items).toMatchObject([
    { contentDetails: { videoId: id }, snippet: { title: 'Hello from the client' } },
  ])
  await client.videos.delete({ id }, at)
  expect(textsOn('youtube')).toEqual([])
  await expect(client.videos.delete({ id }, at)).rejects.toMatchObject({ status: 404 })
})

test('masto registers an app, posts, quotes, and schedules, reads the thread, and deletes', async () => {
  const url = originOf('mastodon')
  const redirectUri = 'https://service.test/back'
  const scopes = 'read write'
  const app = await createRestAPIClient({ url }).v1.apps.create({
    clientName: 'A client',
    redirectUris: redirectUri,
    scopes,
    website: 'https://service.test',
  })
  const { clientId = '', clientSecret = '' } = app
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: scopes }
  const body = new URLSearchParams({ answer: 'allow' })
  const page = `${url}/oauth/authorize?${new URLSearchParams(query)}`
  const back = await fetch(page, { method: 'POST', body, redirect: 'manual' })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { accessToken } = await createOAuthAPIClient({ url }).token.create({
    grantType: 'authorization_code',
    clientId,
    clientSecret,
    redirectUri,
    code,
    scope: scopes,
  })
  const { v1, v2 } = createRestAPIClient({ url, accessToken })
  expect(await v2.instance.fetch()).toMatchObject({ configuration: { statuses: { maxCharacters: 500 } } })
  const first = await v1.statuses.create({ status: 'Hello from the client', sensitive: false, language: 'en' })
  const quote = { status: 'Look', quotedStatusId: first.id, quoteApprovalPolicy: 'nobody' as const }
  const second = await v1.statuses.create({ ...quote, inReplyToId: first.id })
  expect(second).toMatchObject({ quote: { state: 'accepted', quotedStatus: { id: first.id } } })
  expect(second.quoteApproval).toEqual({ automatic: [], manual: [], currentUser: 'automatic' })
  const scheduledAt = new Date(site.now() + 3_600_000).toISOString()
  const later = await v1.statuses.create({ status: 'Later', scheduledAt })
  expect(later).toMatchObject({ scheduledAt, params: { text: 'Later' } })
  expect(await v1.statuses.$select(first.id).context.fetch()).toMatchObject({ descendants: [{ id: second.id }] })
  expect(textsOn('mastodon')).toEqual(['Hello from the client', 'Look'])
  await v1.statuses.$select(first.id).remove()
  await v1.scheduledStatuses.$select(later.id).remove()
  site.pass(3_600_000)
  expect(textsOn('mastodon')).toEqual(['Look'])
  await expect(v1.statuses.$select(first.id).fetch()).rejects.toMatchObject({ statusCode: 404 })
})

test('@xdevplatform/xdk posts, reads the timeline, and deletes; a repeat is a duplicate', async () => {
  const { credentials, externalId } = await authorize(site.ctx(), xConnector)
  const client = new XClient({ baseUrl: originOf('x'), accessToken: String(credentials['accessToken']), retry: false })
  const { data } = await client.posts.create({ text: 'Hello from the client' })
  const id = data?.id ?? expect.fail('no id')
  await expect(client.posts.create({ text: 'Hello from the client' })).rejects.toMatchObject({ status: 403 })
  const timeline = await client.users.getPosts(externalId, { maxResults: 5 })
  expect(timeline.data).toMatchObject([{ id, text: 'Hello from the client' }])
  const read = await client.posts.getById(id, { postFields: ['created_at'], expansions: ['author_id'] })
  expect(read).toMatchObject({ data: { id, authorId: externalId }, includes: { users: [{ id: externalId }] } })
  expect(await client.posts.delete(id)).toMatchObject({ data: { deleted: true } })
  expect(textsOn('x')).toEqual([])
})
