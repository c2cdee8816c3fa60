import { minuteMs } from '../../../shared/time.ts'
import { countWindow } from './count-window.ts'
import { faceUrl } from './face.ts'
import { openOAuth, withScopes } from './oauth.ts'
import { openBoards } from './pinterest/boards.ts'
import { openMedia } from './pinterest/media.ts'
import { openPins, type StoredPin } from './pinterest/pins.ts'
import { pinterestRefusals, refuse } from './pinterest/refuse.ts'
import { pinterestSeed } from './pinterest/seed.ts'
import type { Call, Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'

export { pinterestSeed } from './pinterest/seed.ts'

const accessSeconds = 30 * 86_400
const refreshSeconds = 60 * 86_400
const scopes = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']
const secretScopes = ['boards:read_secret', 'boards:write_secret', 'pins:read_secret', 'pins:write_secret']

/** Pinterest by the rules of its API version 5; bodies are checked by Pinterest's schemas. */
export const pinterest: Platform = {
  id: 'pinterest',
  name: 'Pinterest',
  tint: '#e60023',
  maxBodyBytes: 32 * 1024 * 1024,
  app: pinterestSeed.app,
  async metadata(text, first) {
    const board = await first('pinterest/boards')
    return { boardId: board.id, boardName: board.name, title: 'Good evening', description: text }
  },
  build,
}

/** What an operation needs (pinterest/api-description 5.23.0, security). */
const scopeOf = {
  profile: 'user_accounts:read',
  boards: 'boards:read',
  makeBoard: 'boards:write',
  create: 'pins:write',
  edit: 'pins:write',
  delete: 'pins:write',
  register: 'pins:write',
  read: 'pins:read',
  pin: 'pins:read',
  status: 'pins:read',
}

function build(context: SimulatorContext): StandIn {
  const oauth = openOAuth(context, {
    name: 'Pinterest',
    app: pinterestSeed.app,
    authorizePath: '/oauth/',
    tokenPath: '/v5/oauth/token',
    proof: 'basic',
    scopeSeparator: ',',
    scopes: [...scopes, ...secretScopes],
    codeLifeMs: 10 * minuteMs,
    accessLifeSeconds: accessSeconds,
    refresh: 'rotates',
    pkce: false,
    people: pinterestSeed.people,
    // Error of api-description 5.23.0; 283 is "the authorization grant is invalid".
    refusal: (status, _error, message) => ({ code: status === 401 ? 2 : 283, message }),
    describe: () => ({
      refresh_token_expires_in: refreshSeconds,
      refresh_token_expires_at: Math.floor(context.clock.now() / 1000) + refreshSeconds,
    }),
  })
  const personOf = (call: Call) => oauth.bearerOf(call) ?? refuse(401, 2, 'Authentication failed.')
  const boards = openBoards(context, personOf)
  const media = openMedia(context, personOf)
  const { routes: pinRoutes, pins, other } = openPins(context, personOf, boards.find, media)
  const profile: Route = {
    method: 'GET',
    path: '/v5/user_account',
    operation: 'profile',
    answer(call) {
      const { id, name, username } = personOf(call)
      const body = {
        id,
        username,
        business_name: name,
        account_type: 'BUSINESS',
        profile_image: faceUrl(context, id),
      }
      return { status: 200, body }
    },
  }
  const window = countWindow({ max: 100, perMs: 60_000 }, context)
  return {
    routes: [
      ...oauth.routes,
      ...withScopes(oauth, scopeOf, () => refuse(401, 2, 'Authentication failed.'), [
        profile,
        ...boards.routes,
        ...media.routes,
        ...pinRoutes,
      ]),
    ],
    refusals: pinterestRefusals,
    secondsToWait: ({ headers }) => window.take(String(headers['authorization'])),
    headers({ headers }) {
      const { left, endsAt } = window.shown(String(headers['authorization']))
      return {
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': String(Math.ceil((endsAt - context.clock.now()) / 1000)),
      }
    },
    posts: () => pins.values().map((pin) => toPublicPost(pin, boards.find(pin.boardId)?.name ?? pin.boardId)),
    other,
  }
}

function toPublicPost({ id, owner, title, description, altText, files, madeAt }: StoredPin, board: string): PublicPost {
  return {
    account: `${owner} / ${board}`,
    text: [title, description].filter(Boolean).join('\n\n'),
    media: files.map((file) => ({ ...file, alt: altText ?? '' })),
    replyTo: null,
    url: `https://www.pinterest.com/pin/${id}/`,
    publishedAt: madeAt,
  }
}
