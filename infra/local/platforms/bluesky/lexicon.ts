import * as z from 'zod/mini'
import { refuse } from './refuse.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Text within a number of UTF-8 bytes and of graphemes, with the server's error messages. */
function text(maxBytes: number, maxGraphemes: number) {
  return z.string().check((ctx) => {
    const bytes = Buffer.byteLength(ctx.value)
    const count = [...graphemes.segment(ctx.value)].length
    if (bytes > maxBytes) ctx.issues.push(tooBig('string', maxBytes, bytes, ctx.value))
    if (count > maxGraphemes) ctx.issues.push(tooBig('grapheme', maxGraphemes, count, ctx.value))
  })
}

function list<Item extends z.ZodMiniType>(item: Item, max: number) {
  return z.array(item).check((ctx) => {
    if (ctx.value.length > max) ctx.issues.push(tooBig('array', max, ctx.value.length, ctx.value))
  })
}

function blob(accept: RegExp, accepts: string, maxBytes: number) {
  const mimeType = z.string().check((ctx) => {
    const message = `Expected "${accepts}" (got "${ctx.value}")`
    if (!accept.test(ctx.value)) ctx.issues.push({ code: 'custom', message, input: ctx.value })
  })
  const shape = z.object({ $type: z.literal('blob'), ref: z.object({ $link: z.string() }), mimeType, size: z.int() })
  return shape.check((ctx) => {
    if (ctx.value.size > maxBytes) ctx.issues.push(tooBig('blob', maxBytes, ctx.value.size, ctx.value))
  })
}

/** One of the named shapes; a `$type` that is not named passes, as open unions do. */
function union(shapes: Readonly<Record<string, z.ZodMiniType>>) {
  return z.looseObject({ $type: z.string() }).check((ctx) => {
    const shape = Object.hasOwn(shapes, ctx.value.$type) ? shapes[ctx.value.$type] : undefined
    for (const issue of shape?.safeParse(ctx.value).error?.issues ?? []) {
      ctx.issues.push({ code: 'custom', message: issue.message, input: ctx.value, path: issue.path })
    }
  })
}

/** Servers check the form of both, not whether the record exists with these contents (lexicon com.atproto.repo.strongRef). */
const StrongRef = z.object({
  uri: z.string().check(z.regex(/^at:\/\/did:[a-z]+:[\w.:%-]+\/[\w.]+\/[\w.~:-]+$/, 'must be a valid at-uri')),
  cid: z.string().check(z.regex(/^b[a-z2-7]{58}$/, 'must be a cid string')),
})
const AspectRatio = z.object({ width: z.int().check(z.minimum(1)), height: z.int().check(z.minimum(1)) })
const Image = z.object({
  image: blob(/^image\//, 'image/*', 1_000_000),
  alt: z.string(),
  aspectRatio: z.optional(AspectRatio),
})
const GalleryImage = z.object({
  image: blob(/^image\//, 'image/*', 2_000_000),
  alt: z.string(),
  aspectRatio: AspectRatio,
})
const External = z.object({
  external: z.object({
    uri: z.url(),
    title: z.string(),
    description: z.string(),
    thumb: z.optional(blob(/^image\//, 'image/*', 1_000_000)),
  }),
})
const media = {
  'app.bsky.embed.images': z.object({ images: list(Image, 4) }),
  'app.bsky.embed.gallery': z.object({ items: list(union({ 'app.bsky.embed.gallery#image': GalleryImage }), 20) }),
  'app.bsky.embed.video': z.object({
    video: blob(/^video\/mp4$/, 'video/mp4', 300_000_000),
    alt: z.optional(z.string()),
    aspectRatio: z.optional(AspectRatio),
    captions: z.optional(list(z.object({ lang: z.string(), file: blob(/^text\/vtt$/, 'text/vtt', 20_000) }), 20)),
  }),
  'app.bsky.embed.external': External,
}
const Quote = z.object({ record: StrongRef })
const Embed = union({
  ...media,
  'app.bsky.embed.record': Quote,
  'app.bsky.embed.recordWithMedia': z.object({ record: Quote, media: union(media) }),
})
const Facet = z.object({
  index: z.object({ byteStart: z.int().check(z.minimum(0)), byteEnd: z.int().check(z.minimum(0)) }),
  features: z.array(
    union({
      'app.bsky.richtext.facet#link': z.object({ uri: z.url() }),
      'app.bsky.richtext.facet#mention': z.object({ did: z.string().check(z.startsWith('did:')) }),
      'app.bsky.richtext.facet#tag': z.object({ tag: text(640, 64) }),
    }),
  ),
})

const Rule = z.looseObject({ $type: z.string() })
const gate = <Name extends string>(name: Name) =>
  z.looseObject({
    $type: z.literal(name),
    post: z.string().check(z.startsWith('at://')),
    createdAt: z.iso.datetime({ offset: true }),
    allow: z.optional(list(Rule, 5)),
    embeddingRules: z.optional(list(Rule, 5)),
  })

/** Who may reply to a post, and who may quote it, checked 2026-08-20. */
const gates: Readonly<Record<string, z.ZodMiniType>> = {
  'app.bsky.feed.threadgate': gate('app.bsky.feed.threadgate'),
  'app.bsky.feed.postgate': gate('app.bsky.feed.postgate'),
}

export const isGate = (collection: string): boolean => Object.hasOwn(gates, collection)

/** A post as its lexicon allows it, checked 2026-11-21. */
export const PostRecord = z.object({
  $type: z.literal('app.bsky.feed.post'),
  text: text(3000, 300),
  createdAt: z.iso.datetime({ offset: true }),
  langs: z.optional(list(z.string(), 3)),
  tags: z.optional(list(text(640, 64), 8)),
  facets: z.optional(z.array(Facet)),
  reply: z.optional(z.object({ root: StrongRef, parent: StrongRef })),
  embed: z.optional(Embed),
  labels: z.optional(
    union({
      'com.atproto.label.defs#selfLabels': z.object({ values: list(z.object({ val: text(128, 128) }), 10) }),
    }),
  ),
})

/** Rejects a post or a gate that its lexicon rejects, with the first error and its position. */
export function checkRecord(collection: string, record: unknown): void {
  const issue = (gates[collection] ?? PostRecord).safeParse(record).error?.issues[0]
  if (issue === undefined) return
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  refuse(400, 'InvalidRequest', `Invalid ${collection} record: ${issue.message} at $.record${path}`)
}

function tooBig(what: string, maximum: number, got: number, input: unknown) {
  return { code: 'custom' as const, message: `${what} too big (maximum ${maximum}, got ${got})`, input }
}
