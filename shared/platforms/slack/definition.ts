import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, videoTypes } from '../../media/types.ts'
import { codePoints, utf16Units } from '../../text/counting.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'
import { escapeMarkdown } from './markdown.ts'

const maxFileBytes = 50_000_000

/** A block as the author wrote it: Slack has the last word on its content. */
const Block = z.record(z.string(), z.unknown()).check(
  z.refine(({ type }) => typeof type === 'string', {
    path: ['type'],
    error: 'must be the type of a block, such as section',
  }),
)

/** The block `metadata.slack`; unknown keys are preserved. */
export const SlackMetadata = z.looseObject({
  channelId: described(
    z.string().check(z.regex(/^[CG][A-Z0-9]{5,20}$/, { error: 'must be the id of a channel, such as C0123456789' })),
    'The ID of the channel to post to. `GET /api/social-accounts/slack/channels` lists them.',
  ),
  channelName: described(
    z.optional(z.string()),
    'The name of the channel, for your own use. The service keeps it and does not send it.',
  ),
  threadTs: described(
    z.optional(
      z.string().check(z.regex(/^\d{10}\.\d{6}$/, { error: 'must be the ts of a message, such as 1763712345.678909' })),
    ),
    'The `ts` of the message whose thread the post replies in, the first one of its thread: `platformPostId` of an earlier post, or the digits after `p` in the link of a message, with a dot before the last six.',
  ),
  isBroadcast: described(
    z.optional(z.boolean()),
    'Whether a reply is shown in the channel as well. Only with `threadTs`, and without files. False by default.',
  ),
  format: described(
    z.optional(z.enum(['markdown'])),
    '`markdown`: the text is standard Markdown of at most 12,000 characters. Absent: the text is in the format of Slack, of at most 4,000 characters.',
  ),
  blocks: described(
    z.optional(z.array(Block).check(z.minLength(1), z.maxLength(50))),
    'What the message shows in place of its text: 1 to 50 blocks of Block Kit, each an object with a `type`, sent unchanged, including mentions. The text is shown in notifications. Not with files or `format`.',
  ),
})

const source = 'chat.postMessage and files.completeUploadExternal, arguments, 2026-11-26'

const invalid = metadataFinding('slack')

const withoutFiles: OtherRule = {
  says: 'Markdown, blocks, and replies that are shown in the channel need a post without files.',
  source,
  check({ metadata, media }) {
    if (media.length === 0) return []
    const { format, blocks, isBroadcast } = SlackMetadata.parse(metadata)
    const given = Object.entries({ format, blocks, isBroadcast: isBroadcast || undefined })
    return given.flatMap(([field, value]) =>
      value === undefined
        ? []
        : [
            invalid(
              field,
              `a post with ${field} cannot have files`,
              `Remove the files, or leave out metadata.slack.${field}.`,
            ),
          ],
    )
  },
}

const oneLayout: OtherRule = {
  says: 'A post has Markdown or blocks.',
  source,
  check({ metadata }) {
    const { format, blocks } = SlackMetadata.parse(metadata)
    if (format === undefined || blocks === undefined) return []
    return [
      invalid(
        'format',
        'a post with blocks cannot have format',
        'Leave out metadata.slack.format, or write the text as a block of the type markdown.',
      ),
    ]
  },
}

const maxSection = 3000

const sectionLengths: OtherRule = {
  says: `The text of a section has at most ${maxSection} characters.`,
  source: 'Block Kit, Section block, 2026-11-29',
  check({ metadata }) {
    const { blocks = [] } = SlackMetadata.parse(metadata)
    return blocks.flatMap(({ type, text }, n) => {
      const said = typeof text === 'object' && text !== null && 'text' in text ? text.text : undefined
      if (type !== 'section' || typeof said !== 'string' || said.length <= maxSection) return []
      const field = `blocks.${n}.text`
      return [
        invalid(field, `a section has ${said.length}/${maxSection} characters`, 'Divide it into several sections.'),
      ]
    })
  },
}

const broadcastOfReply: OtherRule = {
  says: 'isBroadcast needs threadTs.',
  source,
  check({ metadata }) {
    const { threadTs, isBroadcast } = SlackMetadata.parse(metadata)
    if (isBroadcast !== true || threadTs !== undefined) return []
    return [
      invalid(
        'isBroadcast',
        'isBroadcast needs threadTs',
        'Send metadata.slack.threadTs, or leave out metadata.slack.isBroadcast.',
      ),
    ]
  },
}

/** Slack's rules: the limits of this service, which are narrower than Slack's own. */
export const definition = {
  id: 'slack',
  name: 'Slack',
  api: { version: null, endsOn: null, source: 'Slack, Web API: methods have no version, 2026-11-26' },
  hosts: { auth: 'https://slack.com', token: 'https://slack.com', api: 'https://slack.com' },
  postsAt: ['slack.com', 'slack-gov.com'],
  connect: 'oauth',
  // A reply starts no thread: its comment belongs to the same thread.
  comment: {
    keeps: ['channelId', 'threadTs'],
    source: 'a message that replies; Slack, chat.postMessage, thread_ts, 2026-11-21',
  },
  rules: {
    measures: [
      {
        max: 4000,
        unit: 'characters',
        counting: 'code points, before `&`, `<` and `>` are escaped',
        count: codePoints,
        source: 'chat.postMessage, text, 2026-11-21',
      },
      {
        when: { format: ['markdown'] },
        max: 12_000,
        unit: 'characters',
        // Slack does not document what it counts: the strictest count is always accepted.
        counting: 'UTF-16 code units, after `<` is escaped',
        count: (text) => utf16Units(escapeMarkdown(text)),
        source: 'chat.postMessage, markdown_text, 2026-11-26',
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
      source: `fields of this service; ${source}`,
    },
    emptyText: 'with media',
    others: [withoutFiles, oneLayout, sectionLengths, broadcastOfReply],
  },
} satisfies PlatformDefinition
