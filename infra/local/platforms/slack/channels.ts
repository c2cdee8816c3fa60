import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { Install } from './install.ts'
import { readArgs, readForm } from './read-args.ts'
import { refuse } from './refuse.ts'
import { type SlackChannel, type SlackTeam, slackSeed } from './seed.ts'

const ListArgs = z.strictObject({
  types: z.optional(z.string()),
  exclude_archived: z.optional(z.enum(['true', 'false'])),
  limit: z.optional(z.string()),
  cursor: z.optional(z.string()),
})

/** Short pages, and an empty one before the second, as Slack may return them. */
const maxOnPage = 2

/** The channels: listed page by page, looked at, joined. */
export function openChannels({ keep }: SimulatorContext, { teamOf }: Install) {
  const joined = keep<true>('joined')
  const isIn = ({ id, isMember }: SlackChannel) => isMember || joined.get(id) !== undefined

  /** The channels that the app can see: private channels only from inside. */
  const visible = ({ id }: SlackTeam): SlackChannel[] =>
    slackSeed.channels.filter((channel) => channel.team === id && (!channel.isPrivate || isIn(channel)))

  const find = (team: SlackTeam, id: string): SlackChannel =>
    visible(team).find((channel) => channel.id === id) ?? refuse('channel_not_found')

  const show = (channel: SlackChannel) => ({
    id: channel.id,
    name: channel.name,
    is_channel: true,
    is_private: channel.isPrivate,
    is_archived: channel.isArchived,
    is_member: isIn(channel),
  })

  function list(call: Call): Answer {
    const team = teamOf(call, 'channels:read', 'groups:read')
    const { types = 'public_channel', exclude_archived, limit = '100', cursor } = readForm(call, ListArgs)
    if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 999) refuse('invalid_limit')
    const requested = types.split(',')
    const all = visible(team).filter(
      ({ isPrivate, isArchived }) =>
        requested.includes(isPrivate ? 'private_channel' : 'public_channel') &&
        !(isArchived && exclude_archived === 'true'),
    )
    const position = cursor === undefined ? 'at 0' : Buffer.from(cursor, 'base64').toString()
    const [, kind, from = '0'] = /^(at|empty) (\d+)$/.exec(position) ?? []
    if (kind === undefined) refuse('invalid_cursor')
    const to = Number(from) + (kind === 'empty' ? 0 : maxOnPage)
    const next = kind === 'empty' ? `at ${to}` : to < all.length ? `${to === maxOnPage ? 'empty' : 'at'} ${to}` : ''
    const body = {
      ok: true,
      channels: all.slice(Number(from), to).map(show),
      response_metadata: { next_cursor: Buffer.from(next).toString('base64') },
    }
    return { status: 200, body }
  }

  function info(call: Call): Answer {
    const team = teamOf(call, 'channels:read', 'groups:read')
    const { channel } = readForm(call, z.strictObject({ channel: z.string() }))
    return { status: 200, body: { ok: true, channel: show(find(team, channel)) } }
  }

  function join(call: Call): Answer {
    const team = teamOf(call, 'channels:join')
    const { channel } = readArgs(call, z.strictObject({ channel: z.string() }))
    const known = find(team, channel)
    if (known.isPrivate) refuse('method_not_supported_for_channel_type')
    if (known.isArchived) refuse('is_archived')
    joined.set(known.id, true)
    return { status: 200, body: { ok: true, channel: show(known) } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/api/conversations.list', operation: 'channels', answer: list },
    { method: 'POST', path: '/api/conversations.info', operation: 'channel', answer: info },
    { method: 'POST', path: '/api/conversations.join', operation: 'join', answer: join },
  ]
  return { routes, find, isIn }
}
export type Channels = ReturnType<typeof openChannels>
