import * as z from 'zod/mini'
import type { Issue } from '../../errors/issue.ts'
import { knownKeys } from '../../http/known-keys.ts'
import { faultsOf } from '../../http/sentence.ts'
import { suggest } from '../../http/suggest.ts'
import { isPending, type MediaFile } from '../../media/media-file.ts'
import { asSentence } from '../../text/as-sentence.ts'
import { isBlank } from '../../text/written.ts'
import type { CheckedPost, Finding, PlatformDefinition, PlatformWarning, TextMeasure } from '../definition.ts'
import { adviceFor, checkAssets, checkMedia, matches } from './media.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isEmpty = (value: unknown) => !isObject(value) || Object.keys(value).length === 0

/** The most keys that are compared with the known ones. */
const maxCompared = 50

interface UnknownKey {
  field: string
  /** The known key that it is close to. */
  meant: string | undefined
}

/** Keys that the schema does not know, at every depth that it defines. */
const unknownKeys = (schema: z.ZodMiniType, block: unknown, root: string): UnknownKey[] => {
  const unknown: UnknownKey[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (!isObject(value)) return
    const known = Array.isArray(value) ? undefined : knownKeys(schema, path)
    if (known?.length === 0) return
    for (const [key, inner] of Object.entries(value)) {
      if (known === undefined || known.includes(key)) visit(inner, [...path, key])
      else if (unknown.length < maxCompared) {
        unknown.push({ field: [root, ...path, key].join('.'), meant: suggest(key, known) })
      }
    }
  }
  visit(block, [])
  return unknown
}

/** Decided: only keys that are close to a known one are rejected. Other keys are allowed, as in the specification. */
const misspelled = (schema: z.ZodMiniType, block: unknown, root: string): Finding[] =>
  unknownKeys(schema, block, root).flatMap(({ field, meant }) =>
    meant === undefined
      ? []
      : [
          {
            code: 'metadata_invalid',
            field,
            message: `"${field}" is not a known field.`,
            next: `Did you mean "${meant}"?`,
          },
        ],
  )

/** The fields of the block `metadata.<platform>` that are accepted and have no effect. */
export const unknownFields = ({ id, rules }: PlatformDefinition, metadata: unknown): string[] =>
  rules.metadata === undefined
    ? []
    : unknownKeys(rules.metadata.schema, metadata, `metadata.${id}`).flatMap(({ field, meant }) =>
        meant === undefined ? [field] : [],
      )

/** The block `metadata.<platform>` against its schema. */
export const checkMetadata = ({ id, rules }: PlatformDefinition, metadata: unknown): Finding[] => {
  const { metadata: block } = rules
  const path = `metadata.${id}`
  if (!block) {
    if (isEmpty(metadata)) return []
    return [{ code: 'metadata_invalid', message: `"${path}" has no fields.`, next: `Remove "${path}".` }]
  }
  const example = block.example === undefined ? undefined : `Example: {"${id}":${JSON.stringify(block.example)}}.`
  if (metadata === undefined || metadata === null) {
    if (!block.required) return []
    const next = [`Send the block "${path}".`, example].filter(Boolean).join(' ')
    return [{ code: 'metadata_required', message: `"${path}" is missing.`, next }]
  }
  const parsed = z.safeParse(block.schema, metadata, { reportInput: true })
  const at = { schema: block.schema, root: path, above: ['metadata', id] }
  const invalid = (parsed.error?.issues ?? [])
    .flatMap((issue) => faultsOf(issue, at))
    .map(
      ({ field, code, message }): Finding => ({
        code: 'metadata_invalid',
        field,
        message,
        next: (code === 'required' ? example : undefined) ?? `Correct "${field}".`,
      }),
    )
  // A misspelled key is often the missing one: the nearer fix comes first.
  return [...misspelled(block.schema, metadata, path), ...invalid]
}

/** A hash sign at the start of a word, followed by letters, digits, or underscores, at least one of which is not a digit. */
const hashtag = /(?<![\p{L}\p{N}\p{M}_&/])[#＃](?=[\p{L}\p{N}\p{M}_]*[\p{L}\p{M}_])[\p{L}\p{N}\p{M}_]+/gu

export const hashtagsIn = (text: string): string[] => text.match(hashtag) ?? []

/** The number of hashtags against a platform's limit. */
const checkHashtags = ({ rules }: PlatformDefinition, text: string): Finding[] => {
  if (rules.hashtags === undefined) return []
  const [used, { max }] = [hashtagsIn(text).length, rules.hashtags]
  if (used <= max) return []
  return [{ code: 'hashtag_limit', message: `${used}/${max} hashtags`, next: `Remove ${used - max} of them.` }]
}

/** The platform's text of a post: a metadata field overrides the content if the platform has one. */
export const textOf = ({ rules }: Pick<PlatformDefinition, 'rules'>, content: string, metadata: unknown): string => {
  if (rules.textField === undefined || typeof metadata !== 'object' || metadata === null) return content
  const own: unknown = (metadata as Readonly<Record<string, unknown>>)[rules.textField]
  return typeof own === 'string' ? own : content
}

/** The measures that apply to a post of an account: those of its metadata or tier, if there are any. */
export const measuresFor = (
  { rules }: PlatformDefinition,
  tier: string | undefined,
  metadata?: unknown,
): readonly TextMeasure[] => {
  const isOwn = (measure: TextMeasure) => measure.tier !== undefined || measure.when !== undefined
  const holds = (measure: TextMeasure) =>
    (measure.tier === undefined || measure.tier === tier) && matches(measure, metadata)
  const own = rules.measures.filter((measure) => isOwn(measure) && holds(measure))
  return own.length > 0 ? own : rules.measures.filter((measure) => !isOwn(measure))
}

const emptyText = (rule: PlatformDefinition['rules']['emptyText'], media: readonly MediaFile[]): Finding[] => {
  if (rule === 'always' || (rule === 'with media' && media.length > 0)) return []
  const next = rule === 'with media' ? 'Write a text or attach media.' : 'Write a text.'
  return [{ code: 'content_empty', message: 'the post is empty', next }]
}

const inUnits = (count: number, unit: TextMeasure['unit']) => `${count} ${count === 1 ? unit.replace(/s$/, '') : unit}`

interface Length extends TextMeasure {
  used: number
}

const lengthsOf = (definition: PlatformDefinition, text: string, { tier, metadata }: CheckedPost): Length[] =>
  measuresFor(definition, tier, metadata).map((measure) => ({ ...measure, used: measure.count(text) }))

export const tooLong = (lengths: readonly Length[], what: string): Finding[] =>
  lengths.flatMap(({ max, unit, used }) => {
    if (used <= max) return []
    const next = `Shorten ${what} by ${inUnits(used - max, unit)}.`
    return [{ code: 'content_length', message: `${used}/${max} ${unit}`, next }]
  })

/**
 * Decided: of a text more than this many times too long only the length is reported; its links and hashtags are not
 * scanned.
 */
const farTooLong = 4

export const isFarTooLong = (lengths: readonly Length[]): boolean =>
  lengths.some(({ max, used }) => used > farTooLong * max)

/** The limits that a text's length exceeds, and whether by far. Every count takes time that grows only with the text. */
const checkLength = (definition: PlatformDefinition, text: string, post: CheckedPost) => {
  const { content, media } = post
  const lengths = lengthsOf(definition, text, post)
  // The limit applies to `content`, also where a metadata text replaces it.
  const ofContent = text === content ? [] : tooLong(lengthsOf(definition, content, post), '"content"')
  return {
    isFar: isFarTooLong(lengths),
    findings: [
      ...(isBlank(text) ? emptyText(definition.rules.emptyText, media) : tooLong(lengths, 'the text')),
      ...ofContent.map((finding) => ({ ...finding, field: 'content' })),
    ],
  }
}

/** How long the text of a post is, in the units of its platform, and how long it may be. */
export const textLengths = (
  definition: PlatformDefinition,
  tier: string | undefined,
  { content, metadata }: Pick<CheckedPost, 'content' | 'metadata'>,
) => {
  const text = textOf(definition, content, metadata)
  return measuresFor(definition, tier, metadata).map(({ max, unit, count }) => ({ used: count(text), max, unit }))
}

/** The field of a finding, if the finding does not name it. */
const fieldOf = ({ id, rules }: PlatformDefinition, { code }: Finding, isReplaced: boolean): string => {
  if (code.startsWith('media_')) return 'mediaUrls'
  if (code.startsWith('metadata_')) return `metadata.${id}`
  return isReplaced ? `metadata.${id}.${rules.textField}` : 'content'
}

const checkOthers = ({ rules }: PlatformDefinition, post: CheckedPost & { text: string }, isFar: boolean): Finding[] =>
  (rules.others ?? [])
    .filter(({ readsText, readsMetadata }) => !(isFar && readsText) && !(readsMetadata && post.metadata === undefined))
    .flatMap(({ check }) => check(post))

/** All violations of a platform's rules; validate and schedule use the same check. */
export const checkPost = (definition: PlatformDefinition, post: CheckedPost): Issue[] => {
  const text = textOf(definition, post.content, post.metadata)
  const metadata = checkMetadata(definition, post.metadata)
  const { findings: ofLength, isFar } = checkLength(definition, text, post)
  const findings = [
    ...ofLength,
    ...(isFar ? [] : checkHashtags(definition, text)),
    ...metadata,
    ...checkMedia(definition, post),
    ...checkAssets(definition, post),
    // These read the metadata as the schema has it.
    ...(metadata.length > 0 ? [] : checkOthers(definition, { ...post, text }, isFar)),
  ]
  return findings.map((finding) => ({
    socialAccountId: post.socialAccountId,
    platform: definition.id,
    field: fieldOf(definition, finding, text !== post.content),
    ...finding,
    message: asSentence(`${definition.name}: ${finding.message}`),
  }))
}

/** What the author of a valid post may not have intended. */
export const warningsOf = (definition: PlatformDefinition, post: CheckedPost): PlatformWarning[] => {
  const { name, rules } = definition
  const text = textOf(definition, post.content, post.metadata)
  const declared = (rules.warnings ?? []).flatMap(({ find }) => find({ ...post, text }))
  return [...declared, ...adviceFor(definition, post)].map((warning) => ({
    ...warning,
    message: asSentence(`${name}: ${warning.message}`),
  }))
}

const image = { mimeType: 'image/jpeg', fileSize: 200_000 }
const video = { mimeType: 'video/mp4', fileSize: 2_000_000, durationMs: 15_000 }

/** What a file that is not fetched yet can turn out to be. */
const guesses: readonly Partial<MediaFile>[] = [
  { ...image, width: 1080, height: 1080 },
  { ...video, width: 1080, height: 1920 },
  { ...video, width: 1920, height: 1080 },
  { mimeType: 'application/pdf', fileSize: 200_000 },
]

/**
 * The violations of a post some of whose files are not fetched yet: only those that apply whatever these files are, such as
 * their number. The rest is checked when they are fetched.
 */
export const checkUnfetched = (definition: PlatformDefinition, post: CheckedPost): Issue[] => {
  if (!post.media.some(isPending)) return checkPost(definition, post)
  const [first = [], ...others] = guesses.map((guess) => {
    const media = post.media.map((file) => (isPending(file) ? { ...file, ...guess } : file))
    return checkPost(definition, { ...post, media })
  })
  const isIn = (issues: readonly Issue[], one: Issue) =>
    issues.some(({ code, field }) => code === one.code && field === one.field)
  return first.filter((issue) => others.every((issues) => isIn(issues, issue)))
}
