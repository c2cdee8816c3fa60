import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { base62 } from '../../ids.ts'
import { dayMs } from '../../time.ts'
import type { ConnectedAccount } from '../account.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import type { OutgoingPost } from '../post.ts'
import { callDiscord } from './api.ts'
import { assertChannel } from './channels.ts'
import { DiscordMetadata } from './definition.ts'
import { Attachments, buildMessage, loadAttachments } from './message.ts'

/** What a message is made of, beside its files: also what a probe looks for, whatever the post has become since. */
export const Message = z.object({ channelId: z.string(), content: z.string(), files: z.int() })

const preparedMs = dayMs
const nonceLength = 25

/** The nonce: the same for every attempt at the same version. */
export const makeKey = ({ id, version }: OutgoingPost): string => {
  const hash = createHash('sha256').update(`${id}:${version}`).digest('hex')
  return base62(BigInt(`0x${hash}`), nonceLength).slice(-nonceLength)
}

/** Makes sure that the channel belongs to the account; uploads nothing, since files go with the message. */
export const prepare = async ({ ctx, account, post }: PlatformCall): Promise<Prepared> => {
  const { channelId } = z.parse(DiscordMetadata, post.metadata)
  await assertChannel(ctx, account.externalId, channelId)
  const ready: z.infer<typeof Message> = { channelId, content: post.text, files: post.media.length }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

export const build = async ({ ctx, post }: PlatformCall): Promise<Attachments | undefined> =>
  post.media.length > 0 ? loadAttachments(ctx, post.media) : undefined

export const messageUrl = (account: ConnectedAccount, channelId: string, id: string): string =>
  `https://discord.com/channels/${account.externalId}/${channelId}/${id}`

/** Missing access may mean the channel or the whole server: only the server's loss ends the connection. */
const lookCloser = async ({ ctx, account }: PlatformCall, error: unknown) => {
  if (!(error instanceof PlatformError) || error.facts.code !== '50001') return error
  const reply = z.object({ id: z.string() })
  await callDiscord(ctx, { path: '/guilds/{guild}', params: { guild: account.externalId }, reply })
  return new PlatformError(
    'invalid',
    'Discord bot cannot see this channel. Give it access, or choose another channel.',
    error.facts,
  )
}

/** Sends the message; Discord answers a repeated nonce with the first message, for some minutes. */
export const commit = async (call: PlatformCall, ref: PreparedRef, clientKey: string, built: unknown) => {
  const { ctx, account, post } = call
  const { channelId, content } = z.parse(Message, ref)
  const message = buildMessage(content, clientKey, post.media, z.parse(z.optional(Attachments), built))
  const request = { path: '/channels/{channel}/messages', params: { channel: channelId }, message }
  const { id } = await callDiscord(ctx, { ...request, reply: z.object({ id: z.string() }) }).catch(
    async (error: unknown) => {
      throw await lookCloser(call, error)
    },
  )
  return { id, url: messageUrl(account, channelId, id) }
}
