import { minuteMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { faceUrl } from './face.ts'
import { openOAuth } from './oauth.ts'
import type { Call, Platform, Route, SimulatorContext, StandIn } from './standin.ts'
import { openPhotos, photoKey } from './tiktok/photos.ts'
import { openPublishing } from './tiktok/publishing.ts'
import { ok, refuse, tiktokRefusals } from './tiktok/refuse.ts'
import { type TikTokCreator, tiktokSeed } from './tiktok/seed.ts'
import { addressOf, standingOf, type VideoTask } from './tiktok/task.ts'
import { addOther, isVideo, openUploads } from './tiktok/uploads.ts'

export { tiktokSeed } from './tiktok/seed.ts'

const people: readonly [TikTokCreator, TikTokCreator] = [tiktokSeed.demo, tiktokSeed.shy]

/** TikTok's login and its Content Posting API, for videos that are sent in chunks and photos that it fetches. */
export const tiktok: Platform = {
  id: 'tiktok',
  name: 'TikTok',
  tint: '#fe2c55',
  // The last chunk may reach 128 MB.
  maxBodyBytes: 128_000_000,
  app: tiktokSeed.app,
  metadata: () => ({ privacyLevel: 'PUBLIC_TO_EVERYONE' }),
  build,
}

function build(context: SimulatorContext): StandIn {
  const tasks = context.keep<VideoTask>('tasks')
  const oauth = openOAuth<TikTokCreator>(context, {
    name: 'TikTok',
    app: tiktokSeed.app,
    idField: 'client_key',
    authorizePath: '/v2/auth/authorize/',
    tokenPath: '/v2/oauth/token/',
    proof: 'form',
    scopeSeparator: ',',
    scopes: ['user.info.basic', 'user.info.profile', 'video.publish', 'video.upload', 'video.list'],
    codeLifeMs: 10 * minuteMs,
    accessLifeSeconds: 7200,
    refresh: 'rotates',
    pkce: false,
    people,
    describe: ({ id }) => ({ open_id: id, refresh_expires_in: 15_552_000 }),
  })
  const creatorOf = (call: Call) =>
    oauth.bearerOf(call) ?? refuse(401, 'access_token_invalid', 'The access token is invalid')

  /** A draft needs another scope than a post that is published immediately. */
  const assertScope = (call: Call, isDraft: boolean): void => {
    const scope = isDraft ? 'video.upload' : 'video.publish'
    if (!oauth.hasScope(call, scope)) refuse(401, 'scope_not_authorized', `The scope ${scope} is missing`)
  }

  function userInfo(call: Call): Answer {
    const { id, name, username } = creatorOf(call)
    const all: Record<string, string> = {
      open_id: id,
      union_id: `union-${id}`,
      avatar_url: faceUrl(context, id),
      display_name: name,
      username,
    }
    const fields = (call.query.get('fields') ?? '').split(',')
    if (fields.some((field) => !(field in all)))
      refuse(400, 'invalid_params', 'fields is missing or names none we know')
    return ok({ user: Object.fromEntries(fields.map((field) => [field, all[field]])) })
  }

  function revoke(call: Call): Answer {
    const form = new URLSearchParams(call.body.toString())
    const { clientId, clientSecret } = tiktokSeed.app
    if (form.get('client_key') !== clientId || form.get('client_secret') !== clientSecret) {
      return { status: 401, body: { error: 'invalid_client', error_description: 'The app did not prove itself' } }
    }
    oauth.revoke(form.get('token') ?? '')
    return { status: 200, body: {} }
  }

  const account: Route[] = [
    { method: 'POST', path: '/v2/oauth/revoke/', operation: 'revoke', answer: revoke },
    { method: 'GET', path: '/v2/user/info/', operation: 'profile', answer: userInfo },
  ]
  return {
    routes: [
      ...oauth.routes,
      ...account,
      ...openPublishing(context, tasks, creatorOf, assertScope),
      ...openPhotos(context, tasks, creatorOf, assertScope),
      ...openUploads(context, tasks),
    ],
    refusals: tiktokRefusals,
    headers: () => ({}),
    posts: () => tasks.values().flatMap((task) => showPost(context, task)),
    other: (creatorId, title) => addOther(context, tasks, creatorId, title),
  }
}

function showPost({ clock, blobs }: SimulatorContext, task: VideoTask) {
  const creator = people.find(({ id }) => id === task.creatorId)
  const isLive = standingOf(task, clock.now(), isVideo(blobs.get(task.uploadId))) === 'PUBLISH_COMPLETE'
  if (!isLive || creator === undefined || task.uploadedAt === null) return []
  return [
    {
      account: `@${creator.username}`,
      text: task.title,
      media:
        task.photos !== undefined && 'types' in task.photos
          ? task.photos.types.map((type, index) => ({ key: photoKey(task.uploadId, index), type, alt: '' }))
          : [{ key: task.uploadId, type: task.type, alt: '' }],
      replyTo: null,
      url: addressOf(task, creator),
      publishedAt: task.uploadedAt,
    },
  ]
}
