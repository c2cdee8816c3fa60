import { dayMs, hourMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { faceUrl } from './face.ts'
import { openComments } from './graph/comments.ts'
import { containerRoutes, ownerOf } from './graph/container-routes.ts'
import { byHand, openContainers, timestampOf, toPublicPost } from './graph/containers.ts'
import { takingFields } from './graph/forms.ts'
import { pickFields, tokenIn } from './graph/read.ts'
import { assertPermission, graphRefusals, refuse, unknownObject, usageHeaders } from './graph/refuse.ts'
import { lastingRoutes, openGraphTokens } from './graph/tokens.ts'
import { versionless } from './graph/versions.ts'
import { openMaker } from './instagram/containers.ts'
import { type InstagramPerson, instagramSeed } from './instagram/seed.ts'
import type { Call, Platform, SimulatorContext, StandIn } from './standin.ts'

export { instagramSeed } from './instagram/seed.ts'

/** Two professional accounts on Instagram, by the rules of Instagram Login and Graph API v25.0. */
export const instagram: Platform = {
  id: 'instagram',
  name: 'Instagram',
  tint: '#c13584',
  maxBodyBytes: 256 * 1024,
  app: { clientId: instagramSeed.clientId, clientSecret: instagramSeed.clientSecret },
  metadata: () => ({ format: 'feed_image' }),
  build,
}

const version = 'v25.0'
const quota = 100

function build(context: SimulatorContext): StandIn {
  const { clock } = context
  const tokens = openGraphTokens<InstagramPerson>(context, {
    name: 'Instagram',
    app: instagramSeed,
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/access_token',
    proof: 'form',
    scopeSeparator: ',',
    scopes: ['instagram_business_basic', 'instagram_business_content_publish', 'instagram_business_manage_comments'],
    codeLifeMs: hourMs,
    accessLifeSeconds: 3600,
    refresh: 'none',
    pkce: false,
    people: instagramSeed.people,
    prefix: 'IGAA',
    answer: (token, person, scope) => ({ access_token: token, user_id: Number(person.scopedId), permissions: scope }),
    refuse: (message) => ({
      status: 400,
      body: { error_type: 'OAuthException', code: 400, error_message: message },
    }),
  })
  const usernameOf = (id: string) => instagramSeed.people.find((person) => person.id === id)?.username ?? id
  const containers = openContainers(context, (code) => `https://www.instagram.com/p/${code}/`)
  const usedBy = (account: string) =>
    containers.posts
      .values()
      .filter((post) => post.account === account && post.type !== byHand && post.publishedAt > clock.now() - dayMs)
      .length

  function profile(call: Call): Answer {
    const { id: user_id, scopedId: id, name, username, type: account_type } = tokens.demand(call)
    const shown = {
      id,
      user_id,
      username,
      name: name || undefined,
      account_type,
      profile_picture_url: faceUrl(context, id),
    }
    return { status: 200, body: pickFields(call, shown) }
  }
  function showQuota(call: Call): Answer {
    const { id } = ownerOf(tokens, call)
    const config = { quota_total: quota, quota_duration: 86_400 }
    return { status: 200, body: { data: [{ quota_usage: usedBy(id), config }] } }
  }

  const comments = openComments(context, {
    version,
    ownerOf(call, object) {
      const { id } = tokens.demand(call)
      assertPermission(tokens.scopeOf(tokenIn(call)), 'instagram_business_manage_comments')
      const post = containers.posts.get(object)
      return post?.account === id ? id : refuse(unknownObject(object))
    },
    show: ({ account, text, time }) => ({ from: { id: account }, text, timestamp: time }),
    nameOf: usernameOf,
    urlOf: (object) => containers.posts.get(object)?.url ?? object,
  })

  return {
    routes: takingFields([
      ...tokens.routes,
      ...comments.routes,
      ...lastingRoutes(tokens, instagramSeed, 'ig'),
      { method: 'GET', path: `/${version}/me`, operation: 'profile', answer: profile },
      { method: 'GET', path: `/${version}/:user/content_publishing_limit`, operation: 'quota', answer: showQuota },
      ...containerRoutes({
        context,
        version,
        containers,
        tokens,
        publishScope: 'instagram_business_content_publish',
        make: 'media',
        publish: 'media_publish',
        lists: { media: ({ type }) => type !== 'STORIES', stories: ({ type }) => type === 'STORIES' },
        makeContainer: openMaker(context, containers),
        showContainer: ({ failure }, state) => ({
          status_code: state,
          status: state === 'ERROR' ? (failure ?? 'Error') : `${state}: the stand-in has nothing to add`,
        }),
        showPost: ({ text, url, shortcode, publishedAt }) => ({
          caption: text === '' ? undefined : text,
          permalink: url,
          shortcode,
          timestamp: timestampOf(publishedAt),
        }),
        notReady: (state) =>
          state === 'EXPIRED'
            ? { code: -2, subcode: 2207020, message: 'The media has expired' }
            : { code: 9007, subcode: 2207027, message: 'The media is not ready for publishing' },
        assertQuota({ id }) {
          if (usedBy(id) < quota) return
          refuse({
            code: 9,
            subcode: 2207042,
            message: 'Application request limit reached: too many posts in 24 hours',
          })
        },
      }),
    ]),
    refusals: graphRefusals,
    routedPath: versionless(context.clock),
    headers: () => usageHeaders,
    posts: () => [...containers.posts.values().map(toPublicPost(usernameOf, containers.posts)), ...comments.posts()],
    other: containers.other,
  }
}
