import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, videoTypes } from '../../media/types.ts'
import { codePoints } from '../../text/counting.ts'
import type { PlatformDefinition } from '../definition.ts'

const maxFileBytes = 50_000_000

/** The block `metadata.slack`; other keys are kept. */
export const SlackMetadata = z.looseObject({
  channelId: described(
    z.string().check(z.regex(/^[CG][A-Z0-9]{5,20}$/, { error: 'must be the id of a channel, such as C0123456789' })),
    'The ID of the channel to post to. `GET /api/social-accounts/slack/channels` lists them.',
  ),
  channelName: described(
    z.optional(z.string()),
    'The name of the channel, for your own use. The service keeps it and does not send it.',
  ),
})

/** Slack's rules: the limits of this service, which are narrower than Slack's own. */
export const definition = {
  id: 'slack',
  name: 'Slack',
  hosts: { auth: 'https://slack.com', token: 'https://slack.com', api: 'https://slack.com' },
  connect: 'oauth',
  comment: { keeps: ['channelId'], source: 'a message that replies; Slack, chat.postMessage, thread_ts, 2026-11-21' },
  rules: {
    measures: [
      {
        max: 4000,
        unit: 'characters',
        counting: 'code points, before `&`, `<` and `>` are escaped',
        count: codePoints,
        source: 'chat.postMessage, text, 2026-11-21',
      },
    ],
    media: [
      {
        min: 0,
        max: 10,
        image: { max: 10, types: imageTypes, maxBytes: maxFileBytes },
        video: { max: 10, types: videoTypes, maxBytes: maxFileBytes },
        mixed: true,
        source: 'limit of this service: up to 10 attachments of 50 MB',
      },
    ],
    metadata: {
      schema: SlackMetadata,
      required: true,
      example: { channelId: 'C0123456789' },
      source: 'fields of this service',
    },
    emptyText: 'with media',
  },
} satisfies PlatformDefinition
