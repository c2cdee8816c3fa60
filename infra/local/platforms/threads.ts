import { hourMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { faceUrl } from './face.ts'
import { containerRoutes } from './graph/container-routes.ts'
import { openContainers, timestampOf, toPublicPost } from './graph/containers.ts'
import { pickFields } from './graph/read.ts'
import { graphRefusals, usageHeaders } from './graph/refuse.ts'
import { lastingRoutes, openGraphTokens } from './graph/tokens.ts'
import type { Call, Platform, SimulatorContext, StandIn } from './standin.ts'
import { openMaker } from './threads/containers.ts'
import { type ThreadsPerson, threadsSeed } from './threads/seed.ts'

export { threadsSeed } from './threads/seed.ts'

/** Two people on Threads, by the rules of its API of April 2026. */
export const threads: Platform = {
  id: 'threads',
  name: 'Threads',
  tint: '#101010',
  maxBodyBytes: 256 * 1024,
  app: { clientId: threadsSeed.clientId, clientSecret: threadsSeed.clientSecret },
  build,
}

const scopes = [
  'threads_basic',
  'threads_content_publish',
  'threads_manage_replies',
  'threads_read_replies',
  'threads_delete',
]

function build(context: SimulatorContext): StandIn {
  const tokens = openGraphTokens<ThreadsPerson>(context, {
    name: 'Threads',
    app: threadsSeed,
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/access_token',
    proof: 'form',
    scopeSeparator: ',',
    scopes,
    codeLifeMs: hourMs,
    accessLifeSeconds: 3600,
    refresh: 'none',
    pkce: false,
    people: threadsSeed.people,
    prefix: 'THAA',
    answer: (token, person) => ({ access_token: token, user_id: Number(person.id) }),
    refuse: (message) => ({ status: 400, body: { error_message: message, code: 400 } }),
  })
  const usernameOf = (id: string) => threadsSeed.people.find((person) => person.id === id)?.username ?? id
  const addressOf = (code: string, account: string) => `https://www.threads.net/@${usernameOf(account)}/post/${code}`
  const containers = openContainers(context, addressOf)

  function profile(call: Call): Answer {
    const { id, name, username } = tokens.demand(call)
    const shown = { threads_profile_picture_url: faceUrl(context, id), threads_biography: '', is_verified: false }
    return { status: 200, body: pickFields(call, { id, name, username, ...shown }) }
  }

  return {
    routes: [
      ...tokens.routes,
      ...lastingRoutes(tokens, threadsSeed, 'th'),
      { method: 'GET', path: '/v1.0/me', operation: 'profile', answer: profile },
      ...containerRoutes({
        context,
        version: 'v1.0',
        containers,
        tokens,
        publishScope: 'threads_content_publish',
        showQuota: 'threads_publishing_limit',
        make: 'threads',
        publish: 'threads_publish',
        lists: { threads: ({ replyTo }) => replyTo === undefined, replies: ({ replyTo }) => replyTo !== undefined },
        listScopes: { replies: 'threads_read_replies' },
        deleteScope: 'threads_delete',
        makeContainer: openMaker(context, containers, tokens),
        showContainer: ({ failure }, status) => ({
          status,
          error_message: status === 'ERROR' ? (failure ?? 'UNKNOWN') : undefined,
        }),
        showPost: ({ text, url, shortcode, publishedAt }) => ({
          text: text === '' ? undefined : text,
          permalink: url,
          shortcode,
          timestamp: timestampOf(publishedAt),
        }),
        notReady: () => ({ code: 24, subcode: 4279009, message: 'Media Not Found' }),
      }),
    ],
    refusals: graphRefusals,
    headers: () => usageHeaders,
    posts: () => containers.posts.values().map(toPublicPost(usernameOf, containers.posts)),
    other: containers.other,
  }
}
