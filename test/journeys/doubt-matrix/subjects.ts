import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { facebookSeed } from '../../../infra/local/platforms/facebook.ts'
import { instagramSeed } from '../../../infra/local/platforms/instagram.ts'
import { linkedinSeed } from '../../../infra/local/platforms/linkedin.ts'
import { mastodonSeed } from '../../../infra/local/platforms/mastodon.ts'
import { nostrSeed } from '../../../infra/local/platforms/nostr.ts'
import { pinterestSeed } from '../../../infra/local/platforms/pinterest.ts'
import { redditSeed } from '../../../infra/local/platforms/reddit.ts'
import { threadsSeed } from '../../../infra/local/platforms/threads.ts'
import { tiktokSeed } from '../../../infra/local/platforms/tiktok.ts'
import { wordpressSeed } from '../../../infra/local/platforms/wordpress.ts'
import { xSeed } from '../../../infra/local/platforms/x/seed.ts'
import { youtubeSeed } from '../../../infra/local/platforms/youtube.ts'
import type { PlatformId } from '../../../shared/resources.ts'
import { pdf } from '../../media/documents.ts'
import { connectOn } from '../../support/connect.ts'
import type { Kit } from '../../support/start.ts'
import { channelId } from '../author.ts'
import { uploadPng } from '../upload.ts'
import { uploadFile, uploadJpeg } from '../upload-file.ts'
import { uploadVideo } from '../upload-video.ts'

interface Draft {
  content: string
  metadata?: Record<string, unknown>
  mediaUrls?: string[]
}

/** A kind of account with a kind of post, whose answer gets lost. */
export interface Subject {
  name: string
  platform: PlatformId
  /** Where others post as well, by the stand-in's id. */
  target: string
  /** Connects an account and answers its id. */
  connect(kit: Kit): Promise<string>
  draft(kit: Kit, text: string): Promise<Draft>
  /** Nothing there can be read: once repeats are no longer refused, the outcome is unknown for good. */
  isUnreadable?: true
  /** The first comment under a post is in doubt, and this is what the stand-in calls the call that makes it. */
  commentedBy?: 'create' | 'comment'
  /** The uncertain operation is requested while the post is live: its deletion at the platform, or an edit of its text. */
  liveChange?: 'delete' | 'edit'
  /** Nothing there can be read or repeated: what is lost is of unknown outcome immediately. */
  isUnprovable?: true
  /** A thread of two, the first of which is in doubt. */
  isThread?: true
}

const accountIn = async (kit: Kit, isIt: (one: { providerId: string; displayName: string }) => boolean) => {
  const connected = (await kit.api.socialAccounts.list()).find((account) =>
    isIt({ ...account, displayName: account.displayName ?? '' }),
  )
  if (connected === undefined) throw new Error('the account is not connected')
  return connected.id
}

/** An app that may post for pages, so that one login gives the person and their pages. */
export const connectLinkedIn = async (kit: Kit, name: string) => {
  const known = await kit.api.socialAccounts.list()
  if (!known.some(({ providerId }) => providerId === 'linkedin')) {
    const secrets = new SecretsManagerClient({})
    const scopes = 'w_organization_social r_organization_social rw_organization_admin'
    const SecretString = JSON.stringify({ ...linkedinSeed.app, scopes })
    const SecretId = `${kit.ctx.env('PLATFORM_SECRETS_PREFIX')}linkedin`
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }))
    secrets.destroy()
    await connectOn(kit, 'linkedin')
  }
  return accountIn(kit, ({ providerId, displayName }) => providerId === 'linkedin' && displayName === name)
}

/** One login for all posts of a platform. */
const connectOnce = async (kit: Kit, platform: PlatformId) => {
  const known = (await kit.api.socialAccounts.list()).find(({ providerId }) => providerId === platform)
  return known?.id ?? connectOn(kit, platform)
}

const on = (platform: PlatformId, target: string, draft: Subject['draft'], more: Partial<Subject> = {}): Subject => ({
  name: platform,
  platform,
  target,
  connect: (kit) => connectOnce(kit, platform),
  draft,
  ...more,
})

const textDraft: Subject['draft'] = async (_kit, text) => ({ content: text })
const { ada } = linkedinSeed
const [page] = ada.pages
const slackChannel = 'C0DEMO001'
const slack = { slack: { channelId: slackChannel } }
const boardId = pinterestSeed.boards[0].id

const titledDocument: Subject['draft'] = async (kit, text) => ({
  content: text,
  metadata: { linkedin: { documentTitle: 'In doubt' } },
  mediaUrls: [await uploadFile(kit, 'application/pdf', pdf())],
})

const connectFacebook = async (kit: Kit) => {
  await connectOnce(kit, 'facebook')
  const { name } = facebookSeed.pages[0]
  return accountIn(kit, ({ providerId, displayName }) => providerId === 'facebook' && displayName === name)
}

/** First comments, with each way to settle them: by key, by refusal of a repeat, by a list, and not at all. */
const comments: readonly Subject[] = [
  on('bluesky', blueskySeed.account.did, textDraft, {
    name: 'bluesky comment',
    commentedBy: 'create',
    connect: async (kit) => kit.accounts.bluesky,
  }),
  on('x', xSeed.people[0].id, textDraft, { name: 'x comment', commentedBy: 'create' }),
  on('mastodon', mastodonSeed.people[0].id, textDraft, { name: 'mastodon comment', commentedBy: 'create' }),
  on('nostr', nostrSeed.people[0].publicKey, textDraft, { name: 'nostr comment', commentedBy: 'create' }),
  on('wordpress', String(wordpressSeed.users[0].id), textDraft, { name: 'wordpress comment', commentedBy: 'comment' }),
  on('facebook', facebookSeed.pages[0].id, textDraft, {
    name: 'facebook comment',
    commentedBy: 'comment',
    connect: connectFacebook,
  }),
  on('linkedin', `urn:li:organization:${page.id}`, textDraft, {
    name: 'linkedin comment of a page',
    commentedBy: 'comment',
    connect: (kit) => connectLinkedIn(kit, page.name),
  }),
  on('linkedin', `urn:li:person:${ada.id}`, textDraft, {
    name: 'linkedin comment of a person',
    commentedBy: 'comment',
    connect: (kit) => connectLinkedIn(kit, ada.name),
    isUnprovable: true,
  }),
]

/** Work on live posts, by key, by ID, and by version. */
const changeSubjects: readonly Subject[] = [
  on('bluesky', blueskySeed.account.did, textDraft, {
    name: 'bluesky deletion',
    liveChange: 'delete',
    connect: async (kit) => kit.accounts.bluesky,
  }),
  on('facebook', facebookSeed.pages[0].id, textDraft, {
    name: 'facebook deletion',
    liveChange: 'delete',
    connect: connectFacebook,
  }),
  on('slack', slackChannel, async (_kit, text) => ({ content: text, metadata: slack }), {
    name: 'slack deletion',
    liveChange: 'delete',
  }),
  on('slack', slackChannel, async (_kit, text) => ({ content: text, metadata: slack }), {
    name: 'slack edit',
    liveChange: 'edit',
  }),
  on('linkedin', `urn:li:organization:${page.id}`, textDraft, {
    name: 'linkedin edit',
    liveChange: 'edit',
    connect: (kit) => connectLinkedIn(kit, page.name),
  }),
]

/** Every platform, and where it has several ways to settle a post, each of them. */
export const subjects: readonly Subject[] = [
  on('bluesky', blueskySeed.account.did, textDraft, { connect: async (kit) => kit.accounts.bluesky }),
  on(
    'bluesky',
    blueskySeed.account.did,
    async (_kit, text) => ({ content: text, metadata: { bluesky: { replyGate: [], disableQuotes: true } } }),
    { name: 'bluesky gates', connect: async (kit) => kit.accounts.bluesky },
  ),
  on('bluesky', blueskySeed.account.did, textDraft, {
    name: 'bluesky thread',
    isThread: true,
    connect: async (kit) => kit.accounts.bluesky,
  }),
  on('discord', channelId, async (_kit, text) => ({ content: text, metadata: { discord: { channelId } } }), {
    connect: async (kit) => kit.accounts.discord,
  }),
  on('x', xSeed.people[0].id, textDraft),
  on('x', xSeed.people[0].id, textDraft, { name: 'x thread', isThread: true }),
  on('threads', threadsSeed.people[0].id, textDraft),
  on('threads', threadsSeed.people[0].id, textDraft, { name: 'threads thread', isThread: true }),
  on('instagram', instagramSeed.people[0].id, async (kit, text) => ({
    content: text,
    metadata: { instagram: { format: 'feed_image' } },
    mediaUrls: [await uploadJpeg(kit)],
  })),
  on('facebook', facebookSeed.pages[0].id, textDraft, { connect: connectFacebook }),
  on('linkedin', `urn:li:organization:${page.id}`, textDraft, {
    name: 'linkedin page',
    connect: (kit) => connectLinkedIn(kit, page.name),
  }),
  on('linkedin', `urn:li:person:${ada.id}`, textDraft, {
    name: 'linkedin person',
    connect: (kit) => connectLinkedIn(kit, ada.name),
    isUnreadable: true,
  }),
  on('linkedin', `urn:li:organization:${page.id}`, titledDocument, {
    name: 'linkedin page, document',
    connect: (kit) => connectLinkedIn(kit, page.name),
  }),
  on('linkedin', `urn:li:person:${ada.id}`, titledDocument, {
    name: 'linkedin person, document',
    connect: (kit) => connectLinkedIn(kit, ada.name),
    isUnreadable: true,
  }),
  on('tiktok', tiktokSeed.demo.id, async (kit, text) => ({
    content: text,
    metadata: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } },
    mediaUrls: [(await uploadVideo(kit)).id],
  })),
  on('pinterest', boardId, async (kit, text) => ({
    content: '',
    metadata: { pinterest: { boardId, title: 'In doubt', description: text } },
    mediaUrls: [(await uploadPng(kit)).id],
  })),
  on('youtube', youtubeSeed.demo.channel?.id ?? '', async (kit, text) => ({
    content: text,
    mediaUrls: [(await uploadVideo(kit)).id],
  })),
  on('reddit', redditSeed.people[0].name, async (_kit, text) => ({
    content: 'The text',
    metadata: { reddit: { subreddit: 'test', title: text, kind: 'self' } },
  })),
  on(
    'reddit',
    redditSeed.people[0].name,
    async (_kit, text) => {
      const poll = { options: ['Rye', 'Spelt'], durationDays: 3 }
      return { content: 'The text', metadata: { reddit: { subreddit: 'test', title: text, kind: 'self', poll } } }
    },
    { name: 'reddit poll' },
  ),
  on(
    'reddit',
    redditSeed.people[0].name,
    async (kit, text) => ({
      content: 'The text',
      metadata: { reddit: { subreddit: 'test', title: text, kind: 'image', format: 'gallery' } },
      mediaUrls: [(await uploadPng(kit)).id, (await uploadPng(kit)).id],
    }),
    { name: 'reddit gallery' },
  ),
  on('slack', slackChannel, async (_kit, text) => ({ content: text, metadata: slack })),
  on(
    'slack',
    slackChannel,
    async (kit, text) => ({ content: text, metadata: slack, mediaUrls: [(await uploadPng(kit)).id] }),
    {
      name: 'slack file',
    },
  ),
  on('mastodon', mastodonSeed.people[0].id, textDraft),
  on('mastodon', mastodonSeed.people[0].id, textDraft, { name: 'mastodon thread', isThread: true }),
  on('wordpress', String(wordpressSeed.users[0].id), textDraft),
  on('nostr', nostrSeed.people[0].publicKey, textDraft),
  on('nostr', nostrSeed.people[0].publicKey, textDraft, { name: 'nostr thread', isThread: true }),
  ...comments,
  ...changeSubjects,
]
