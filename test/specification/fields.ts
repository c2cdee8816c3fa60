import type { Check } from './check.ts'
import { furtherEventTypes, furtherPlatforms } from './deviations.ts'
import {
  anything,
  boolean,
  date,
  filled,
  integer,
  is,
  list,
  matching,
  maybe,
  number,
  object,
  oneOf,
  orNull,
  page,
  text,
  uri,
} from './shape.ts'

/** Resources and their fields. */
const subscription = object({
  status: text,
  planName: orNull(text),
  hasAccess: boolean,
  accessMessage: text,
  billingUrl: text,
  cancelAtPeriodEnd: boolean,
  currentPeriodEnd: orNull(date),
})

const workspace = object({
  id: filled,
  name: filled,
  slug: filled,
  logo: orNull(text),
  timezone: text,
  role: text,
  subscription,
})

const providers = [
  ...['x', 'bluesky', 'threads', 'linkedin', 'instagram', 'tiktok'],
  ...['facebook', 'pinterest', 'youtube', 'reddit', 'discord', 'slack'],
  ...furtherPlatforms,
]

const socialAccount = object({
  id: filled,
  providerId: oneOf(...providers),
  providerName: filled,
  username: orNull(text),
  displayName: orNull(text),
  profileImageUrl: orNull(text),
  isConnected: boolean,
  needsReconnect: boolean,
})

const statuses = ['draft', 'scheduled', 'published', 'failed', 'cancelled']

const post = (...status: readonly string[]) =>
  object({
    id: filled,
    status: oneOf(...(status.length > 0 ? status : statuses)),
    content: text,
    scheduledAt: orNull(date),
    publishedPostUrl: orNull(uri),
    error: orNull(text),
    groupId: orNull(text),
    socialAccountId: filled,
    mediaUrls: list(text),
  })

const thread = object({ threadHeadPost: post('scheduled'), totalTweets: is(2), postIds: list(filled, { least: 2 }) })

const issue = object({
  socialAccountId: orNull(text),
  platform: text,
  code: filled,
  message: filled,
  next: maybe(filled),
})

const board = object({ id: filled, name: filled, url: maybe(text), privacy: maybe(oneOf('PUBLIC', 'SECRET')) })

const asset = object({
  id: filled,
  originalFilename: text,
  mimeType: text,
  fileSize: number,
  previewUrl: uri,
  altText: orNull(text),
})

const personalization = object({
  description: maybe(text),
  tone: maybe(text),
  style: maybe(text),
  personality: maybe(text),
})

const eventTypes = [
  ...['post.scheduled', 'post.rescheduled', 'post.cancelled', 'post.published', 'post.publish_failed'],
  'social_account.reconnect_required',
]

const hook = object({ id: filled, name: filled, url: uri, events: list(oneOf(...eventTypes)), enabled: boolean })

const draft = object({
  id: filled,
  content: text,
  name: orNull(text),
  socialAccountIds: list(text),
  selectedPlatforms: list(text),
  mediaUrls: list(text),
  platformContent: object({}),
  platformMedia: object({}),
})

const collection = object({ id: filled, name: filled, color: orNull(text), isPrivate: boolean })
const memory = object({ id: filled, text: filled, collectionId: filled })
const tokenShape = object({ id: filled, name: filled, workspaceId: filled, scopes: list(text) })

const hides = (...patterns: readonly RegExp[]): Pick<Check, 'also'> => ({
  also: ({ text: sent }) =>
    patterns.filter((pattern) => pattern.test(sent)).map((pattern) => `the answer holds ${pattern}`),
})

const answers = (route: string, data: Check['data'], more: Partial<Check> = {}): Check => ({
  route,
  title: 'returns the documented fields',
  ...(data ? { data } : {}),
  ...more,
})

export const fields: readonly Check[] = [
  answers('GET /api/workspaces', list(workspace, { least: 1 })),
  answers('GET /api/workspaces/{id}', workspace),
  answers('GET /api/workspaces/{id}/ai-voice-settings', orNull(personalization)),
  answers('PATCH /api/workspaces/{id}/ai-voice-settings', anything),
  answers('GET /api/social-accounts', list(socialAccount, { least: 12 }), hides(/accessToken/, /refreshToken/)),
  answers(
    'GET /api/social-accounts/reddit/flair-options',
    object({ choices: list(object({ id: filled, text, textEditable: boolean }), { least: 1 }) }),
  ),
  answers(
    'GET /api/social-accounts/reddit/post-requirements',
    object({ is_flair_required: boolean, title_text_max_length: integer, title_text_min_length: integer }),
  ),
  answers('GET /api/social-accounts/pinterest/boards', object({ boards: list(board, { least: 1 }) })),
  answers('POST /api/social-accounts/pinterest/boards', object({ board, socialAccountId: filled })),
  answers(
    'GET /api/social-accounts/discord/channels',
    object({
      channels: list(
        object({
          id: filled,
          name: filled,
          type: oneOf('text', 'announcement'),
          parentId: maybe(orNull(text)),
          position: maybe(integer),
          nsfw: maybe(boolean),
        }),
        { least: 1 },
      ),
      guildId: filled,
      source: oneOf('live', 'cache'),
    }),
  ),
  answers(
    'GET /api/social-accounts/slack/channels',
    object({
      channels: list(object({ id: filled, name: filled, type: oneOf('public', 'private'), isMember: maybe(boolean) }), {
        least: 1,
      }),
      teamId: filled,
      source: oneOf('live', 'cache'),
    }),
  ),
  answers('GET /api/posts', page(post())),
  answers('POST /api/posts/validate', object({ valid: boolean, issues: list(issue, { least: 1 }) })),
  answers('POST /api/posts/schedule', list(post('scheduled'), { least: 2 })),
  answers('POST /api/posts/publish-now', list(post('scheduled'), { least: 1 })),
  answers('POST /api/posts/schedule-thread', thread),
  answers('POST /api/posts/publish-thread-now', thread),
  answers('GET /api/posts/x-cap-usage', anything),
  answers('GET /api/posts/{id}', post('scheduled')),
  answers('DELETE /api/posts/{id}', anything),
  answers('POST /api/posts/{id}/reschedule', post('scheduled')),
  answers('POST /api/posts/{id}/cancel', post('cancelled')),
  answers('GET /api/drafts', page(anything)),
  answers('POST /api/drafts', draft),
  answers('GET /api/drafts/{id}', draft),
  answers('PATCH /api/drafts/{id}', object({ id: filled, content: is('Better words') })),
  answers('DELETE /api/drafts/{id}', anything),
  answers('GET /api/media', page(asset, 1)),
  answers('POST /api/media/upload-url', object({ uploadUrl: uri, storageKey: filled, expiresAt: date })),
  answers('POST /api/media/complete', asset),
  answers('GET /api/media/{id}', asset),
  answers('DELETE /api/media/{id}', anything),
  answers('GET /api/memory/collections', page(collection)),
  answers('POST /api/memory/collections', collection),
  answers('GET /api/memory/collections/{id}', collection),
  answers('PATCH /api/memory/collections/{id}', collection),
  answers('DELETE /api/memory/collections/{id}', anything),
  answers('GET /api/memory', page(memory, 1)),
  answers('POST /api/memory', memory),
  answers('POST /api/memory/search', anything),
  answers('DELETE /api/memory/{id}', anything),
  answers('GET /api/webhooks/events', list(object({ type: oneOf(...eventTypes, ...furtherEventTypes) }), { least: 6 })),
  answers('POST /api/webhooks', object({ id: filled, secret: filled, events: list(text, { least: 1 }) })),
  answers('GET /api/webhooks', list(hook), hides(/"secret"/, /whsec_\w{8}/)),
  answers('GET /api/webhooks/{id}', hook, hides(/"secret"/, /whsec_\w{8}/)),
  answers('PATCH /api/webhooks/{id}', hook, hides(/"secret"/, /whsec_\w{8}/)),
  answers('DELETE /api/webhooks/{id}', anything),
  answers('POST /api/webhooks/{id}/rotate-secret', object({ secret: filled })),
  answers('POST /api/webhooks/{id}/test', anything),
  answers('GET /api/webhooks/{id}/deliveries', page(object({ id: filled, eventType: oneOf(...eventTypes) }), 1)),
  answers('POST /api/auth/sign-in/email', object({ token: filled })),
  answers('POST /api/auth/sign-out', anything),
  answers('GET /api/auth/get-session', anything),
  answers('POST /api/cli/auth/start', object({ deviceCode: filled, userCode: filled })),
  answers('POST /api/cli/tokens', object({ token: matching(/^svc_pat_[^_]+_.+$/), name: is('ci') })),
  answers('GET /api/cli/tokens', list(tokenShape, { least: 1 }), hides(/svc_pat_/)),
  answers('DELETE /api/cli/tokens/{id}', anything),
]
