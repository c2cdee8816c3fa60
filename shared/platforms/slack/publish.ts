import * as z from 'zod/mini'
import { hourMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { addressOfMessage, lookAtFile } from './address.ts'
import { callSlack } from './api.ts'
import { joinChannel } from './channels.ts'
import { SlackMetadata } from './definition.ts'
import { escapeText } from './text.ts'
import { Uploaded, uploadFile } from './upload.ts'

/** What a message is made of: also what a probe looks for, whatever the post has become since. */
export const Message = z.object({ channelId: z.string(), text: z.string(), files: z.array(Uploaded) })
type Message = z.infer<typeof Message>

const preparedMs = hourMs
/** What goes up in one phase: one file at least, and it must end well within a minute. */
const phaseBytes = 60_000_000

/** Uploads the files, some at a time; they are not visible before the message names them. */
export const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, account, post } = call
  const { channelId } = z.parse(SlackMetadata, post.metadata)
  const uploaded = resume ? [...z.parse(Message, resume).files] : []
  if (post.media.length > 0 && !resume) await joinChannel(ctx, account, channelId)
  let left = phaseBytes
  for (const file of post.media.slice(uploaded.length)) {
    if (file.fileSize > left) break
    left -= file.fileSize
    uploaded.push(await uploadFile(call, file))
  }
  const message: Message = { channelId, text: post.text, files: uploaded }
  return uploaded.length < post.media.length
    ? { waitSeconds: 1, resume: message }
    : { ready: message, expiresAtMs: ctx.clock.now() + preparedMs }
}

const say = async (
  call: PlatformCall,
  { channelId: channel, text }: Message,
  clientKey: string,
): Promise<PublishedPost> => {
  const [post_id = '', v = ''] = clientKey.split(':')
  const { ts } = await callSlack(call.ctx, call.account, {
    method: 'chat.postMessage',
    json: {
      channel,
      text: escapeText(text),
      unfurl_links: true,
      unfurl_media: true,
      metadata: { event_type: 'svc_post', event_payload: { post_id, v } },
    },
    creates: true,
    reply: z.object({ ts: z.string() }),
  })
  return { id: ts, url: await addressOfMessage(call, channel, ts) }
}

const shareWaitMs = 2_000

/** Slack shows the share a little after its answer: it is asked twice, then the file's own address serves. */
const lookTwice = async (call: PlatformCall, channel: string, file: string) => {
  const first = await lookAtFile(call, file, channel)
  if (first.sharedTs !== undefined) return first
  await call.ctx.clock.sleep(shareWaitMs)
  return lookAtFile(call, file, channel)
}

/** Where the files can be seen. They are out: nothing may fail any more. */
const whereabouts = async (call: PlatformCall, channel: string, file: string): Promise<PublishedPost> => {
  try {
    const { sharedTs, permalink } = await lookTwice(call, channel, file)
    return sharedTs === undefined
      ? { id: file, url: permalink }
      : { id: sharedTs, url: await addressOfMessage(call, channel, sharedTs) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { id: file, url: null }
  }
}

const share = async (call: PlatformCall, { channelId: channel, text, files }: Message): Promise<PublishedPost> => {
  await callSlack(call.ctx, call.account, {
    method: 'files.completeUploadExternal',
    json: { files, channel_id: channel, ...(text.trim() === '' ? {} : { initial_comment: escapeText(text) }) },
    creates: true,
    reply: z.object({ files: z.array(z.object({ id: z.string() })) }),
  })
  return whereabouts(call, channel, files[0]?.id ?? '')
}

/** Says the text, or shares the files with it. */
export const commit = async (call: PlatformCall, ref: PreparedRef, clientKey: string): Promise<PublishedPost> => {
  const message = z.parse(Message, ref)
  return message.files.length > 0 ? share(call, message) : say(call, message, clientKey)
}
