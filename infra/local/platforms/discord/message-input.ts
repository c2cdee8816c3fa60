import * as z from 'zod/mini'
import { MultipartError, type Part, parseMultipart } from '../../pages/multipart.ts'
import { officialCheck } from '../official-schema.ts'
import { type Call, parseJson } from '../standin.ts'
import { badValue, refuseForm, refuseIssues, tooLong } from './form-errors.ts'
import { refuse } from './refuse.ts'
import { pairFiles, type SentFile } from './sent-files.ts'

const maxFiles = 10

/** The documentation shows numbers, the OpenAPI document text: the API accepts both. */
const NumberOrText = z.pipe(z.union([z.string(), z.int()]), z.transform(String))

/** Discord counts code points (discord-api-docs, issue 1315). */
function atMostCodePoints(maximum: number) {
  return z.check<string>(({ value, issues }) => {
    if ([...value].length > maximum) issues.push({ code: 'too_big', origin: 'string', maximum, input: value })
  })
}

/** The texts of an embed; their lengths are in Discord's own schema. */
const Embed = z.object({
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  author: z.optional(z.object({ name: z.string() })),
  footer: z.optional(z.object({ text: z.string() })),
  fields: z._default(z.array(z.object({ name: z.string(), value: z.string() })), []),
})

/** All embeds of a message together (Discord, Embed Limits). */
const maxEmbedLength = 6000

function lengthOfEmbed({ title, description, author, footer, fields }: z.infer<typeof Embed>): number {
  const texts = [title, description, author?.name, footer?.text, ...fields.flatMap(({ name, value }) => [name, value])]
  return [...texts.join('')].length
}

/** The fields of a new message that matter here (Discord's OpenAPI, MessageCreateRequest; content 2,000 as documented). */
const MessageInput = z.object({
  content: z.optional(z.nullable(z.string().check(atMostCodePoints(2000)))),
  nonce: z.optional(z.nullable(z.pipe(NumberOrText, z.string().check(z.maxLength(25))))),
  enforce_nonce: z.optional(z.nullable(z.boolean())),
  message_reference: z.optional(z.nullable(z.object({ message_id: NumberOrText }))),
  embeds: z.optional(z.array(Embed)),
  poll: z.optional(
    z.object({
      question: z.object({ text: z.string() }),
      answers: z.array(z.object({ poll_media: z.object({ text: z.string().check(atMostCodePoints(55)) }) })),
      duration: z._default(z.int(), 24),
    }),
  ),
  allowed_mentions: z.optional(z.nullable(z.object({ parse: z.optional(z.array(z.string())) }))),
  attachments: z.optional(
    z
      .array(
        z.object({
          id: NumberOrText,
          filename: z.optional(z.string()),
          description: z.optional(z.nullable(z.string().check(z.maxLength(1024)))),
        }),
      )
      .check(z.maxLength(maxFiles)),
  ),
})
export type MessageInput = z.infer<typeof MessageInput>

/** Discord's schema, except for two points on which its documentation differs. */
const mismatchesOf = officialCheck('discord/schema/discord.json', 'MessageCreateRequest', {
  MessageCreateRequest: { content: { type: ['string', 'null'], maxLength: 2000 } },
  MessageAttachmentRequest: { id: { type: ['string', 'integer'] } },
})

/** The fields of an edit that matter here (Discord, Edit Message): mentions are given anew, files that are not named stay. */
const EditInput = z.strictObject({
  content: z.string().check(atMostCodePoints(2000)),
  allowed_mentions: z.object({ parse: z.array(z.string()) }),
})

/** An edit of a message. */
export function readEdit({ body }: Call): z.infer<typeof EditInput> {
  const json = parseJson(body, () => refuse(400, 50109, 'The request body contains invalid JSON.'))
  const parsed = EditInput.safeParse(json)
  return parsed.success ? parsed.data : refuseIssues(parsed.error.issues)
}

/** A message as sent, with its files in their order. */
export function readMessage(call: Call): { message: MessageInput; files: SentFile[] } {
  const { payload, parts } = readBody(call)
  const json = parseJson(payload, () => refuse(400, 50109, 'The request body contains invalid JSON.'))
  const parsed = MessageInput.safeParse(json)
  if (!parsed.success) return refuseIssues(parsed.error.issues)
  const [first] = mismatchesOf(json)
  if (first) refuseForm([{ path: first.path, error: badValue(first.message) }])
  const message = parsed.data
  const embeds = message.embeds ?? []
  if (embeds.reduce((sum, embed) => sum + lengthOfEmbed(embed), 0) > maxEmbedLength) {
    const error = { code: 'MAX_EMBED_SIZE_EXCEEDED', message: `Embed size exceeds maximum size of ${maxEmbedLength}` }
    refuseForm([{ path: ['embeds'], error }])
  }
  if (parts.length > maxFiles) return refuseForm([{ path: ['attachments'], error: tooLong(maxFiles) }])
  const isEmpty = !message.content?.trim() && parts.length === 0 && embeds.length === 0 && message.poll === undefined
  if (isEmpty) return refuse(400, 50006, 'Cannot send an empty message')
  return { message, files: pairFiles(parts, message.attachments) }
}

function readBody(call: Call): { payload: Buffer; parts: Part[] } {
  const type = call.headers['content-type'] ?? ''
  if (/^application\/json\b/i.test(type)) return { payload: call.body, parts: [] }
  if (!/^multipart\/form-data\b/i.test(type)) {
    return refuse(400, 50035, 'Expected "Content-Type" header to be application/json or multipart/form-data')
  }
  const all = readParts(type, call.body)
  const payload = all.find((part) => part.name === 'payload_json')
  return { payload: payload?.bytes ?? Buffer.from('{}'), parts: all.filter((part) => part !== payload) }
}

function readParts(type: string, body: Buffer): Part[] {
  try {
    return parseMultipart(type, body)
  } catch (error) {
    if (error instanceof MultipartError) return refuse(400, 50035, error.message)
    throw error
  }
}
