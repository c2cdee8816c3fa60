import type { IssueCode } from '../../errors/issue.ts'
import { fits } from '../../media/image-formats.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { kindOf, type MediaKind } from '../../media/types.ts'
import { canBecomeMp4, hasOtherContainer } from '../../media/video-form.ts'
import type {
  CheckedPost,
  FileRule,
  Finding,
  MediaRule,
  PlatformDefinition,
  PlatformWarning,
  StreamLimits,
} from '../definition.ts'

const size = ({ maxBytes }: FileRule, { originalFilename, fileSize }: MediaFile): Finding[] => {
  if (fileSize <= maxBytes) return []
  const message = `${originalFilename} has ${fileSize}/${maxBytes} bytes`
  return [{ code: 'media_size', message, next: 'Attach a smaller file.' }]
}

/** One number compared with its bounds, as text. Values that could not be measured are skipped. */
const bound = (
  { code, name, what }: { code: IssueCode; name: string; what: string },
  value: number | undefined,
  [min, max]: readonly [number | undefined, number | undefined],
  show: (value: number) => string,
): Finding[] => {
  if (value === undefined) return []
  if (min !== undefined && value < min) {
    return [{ code, message: `${name} has ${what} ${show(value)}`, next: `It must be at least ${show(min)}.` }]
  }
  if (max !== undefined && value > max) {
    return [
      { code, message: `${name} has ${what} ${show(value)}/${show(max)}`, next: `It must be at most ${show(max)}.` },
    ]
  }
  return []
}

const whole = (value: number) => String(value)
const pixels = (value: number) => `${value} px`
const seconds = (value: number) => `${value / 1000} s`
const frames = (value: number) => `${value} frames/s`
const megabits = (value: number) => `${Number((value / 1e6).toFixed(1))} Mbit/s`
const hertz = (value: number) => `${value} Hz`
const ratio = (value: number) => `${Number(value.toFixed(3))}:1`

/** A codec against those that are accepted. */
const codec = (name: string, what: string, value: string | undefined, accepted: readonly string[] | undefined) =>
  value === undefined || accepted === undefined || accepted.includes(value)
    ? []
    : [
        {
          code: 'media_encoding' as const,
          message: `${name} has the ${what} codec ${value}`,
          next: `Use ${accepted.join(' or ')}.`,
        },
      ]

/**
 * The streams of a video against limits. Decided: an average that varies breaks no limit, because no document says how a
 * platform measures it (`adviceForFile` compares it).
 */
const checkStreams = (limits: StreamLimits, { originalFilename: name, video = undefined }: MediaFile): Finding[] => {
  if (video === undefined) return []
  const at = { code: 'media_encoding', name } as const
  const { framesPerSecond, hasVariableFrameRate = false, videoBitsPerSecond, audioSampleRateHz, audioChannels } = video
  return [
    ...codec(name, 'video', video.codec, limits.codecs),
    ...(video.chroma === undefined || limits.chromas?.includes(video.chroma) !== false
      ? []
      : [
          {
            code: at.code,
            message: `${name} has the chroma subsampling ${video.chroma}`,
            next: `Export it again with ${limits.chromas.join(' or ')}.`,
          },
        ]),
    ...codec(name, 'audio', video.audioCodec, limits.audioCodecs),
    ...bound(
      { ...at, what: 'a frame rate of' },
      hasVariableFrameRate || framesPerSecond === undefined ? undefined : Math.round(framesPerSecond),
      [limits.minFramesPerSecond, limits.maxFramesPerSecond],
      frames,
    ),
    ...bound(
      { ...at, what: 'a video bit rate of' },
      videoBitsPerSecond,
      [undefined, limits.maxVideoBitsPerSecond],
      megabits,
    ),
    ...bound({ ...at, what: 'a sample rate of' }, audioSampleRateHz, [undefined, limits.maxAudioSampleRateHz], hertz),
    ...bound({ ...at, what: 'a number of channels of' }, audioChannels, [undefined, limits.maxAudioChannels], whole),
    ...(limits.editLists?.includes(video.editLists) === false
      ? [{ code: at.code, message: `${name} has edit lists that cut it`, next: 'Export it again without edit lists.' }]
      : []),
  ]
}

/** The aspect ratio of a file, rounded where its platform states a limit that is rounded. */
const aspectOf = (width: number, height: number, { aspectDecimals }: FileRule): number =>
  aspectDecimals === undefined ? width / height : Number((width / height).toFixed(aspectDecimals))

/** A long image that is scaled down until its long side fits, and whose short side is then too short. */
const checkScaled = (rule: FileRule, { originalFilename: name, width, height }: MediaFile): Finding[] => {
  const { sent, minWidth = 0, minHeight = 0 } = rule
  if (sent === undefined || width === undefined || height === undefined) return []
  const scale = Math.min(1, (sent.maxWidth ?? width) / width, (sent.maxHeight ?? height) / height)
  if (scale === 1 || width < minWidth || height < minHeight) return []
  const at = { code: 'media_dimensions', name } as const
  return [
    ...bound({ ...at, what: 'a width, scaled down, of' }, Math.round(width * scale), [minWidth, undefined], pixels),
    ...bound({ ...at, what: 'a height, scaled down, of' }, Math.round(height * scale), [minHeight, undefined], pixels),
  ]
}

const checkDuration = (
  rule: Pick<FileRule, 'minDurationMs' | 'maxDurationMs'>,
  { originalFilename: name, durationMs }: MediaFile,
): Finding[] =>
  bound(
    { code: 'media_duration', name, what: 'a duration of' },
    durationMs,
    [rule.minDurationMs, rule.maxDurationMs],
    seconds,
  )

/** One file against the rule of its kind; dimensions and durations as they were measured at its upload. */
const checkFile = (rule: FileRule, file: MediaFile): Finding[] => {
  const { originalFilename: name, width, height, frames } = file
  const both = width !== undefined && height !== undefined && height > 0
  const at = 'media_dimensions'
  return [
    ...size(rule, file),
    ...bound({ code: at, name, what: 'a width of' }, width, [rule.minWidth, rule.maxWidth], pixels),
    ...bound({ code: at, name, what: 'a height of' }, height, [rule.minHeight, rule.maxHeight], pixels),
    ...bound(
      { code: at, name, what: 'an area of' },
      both ? width * height : undefined,
      [undefined, rule.maxPixels],
      pixels,
    ),
    ...bound(
      { code: at, name, what: 'an aspect ratio of' },
      both ? aspectOf(width, height, rule) : undefined,
      [rule.minAspect, rule.maxAspect],
      ratio,
    ),
    ...checkScaled(rule, file),
    ...bound({ code: at, name, what: 'a frame count of' }, frames, [undefined, rule.maxFrames], whole),
    ...bound(
      { code: at, name, what: 'a total area of all frames of' },
      both && frames !== undefined ? width * height * frames : undefined,
      [undefined, rule.maxMovingPixels],
      pixels,
    ),
    ...checkDuration(rule, file),
    ...checkStreams(rule, file),
  ]
}

/** A QuickTime file for a platform that accepts MP4 only, whose streams cannot be rewritten, or are unknown. */
const checkContainer = ({ sentVideo = {} }: FileRule, file: MediaFile): Finding[] => {
  if (!hasOtherContainer(file, sentVideo) || canBecomeMp4(file.video)) return []
  const finding = (why: string, next: string): Finding[] => [
    { code: 'media_type', message: `${file.originalFilename} is ${file.mimeType}, and ${why}`, next },
  ]
  return file.video === undefined
    ? finding('its streams are unknown', 'Upload it again, or attach an MP4.')
    : finding('cannot be rewritten as MP4', 'Attach an MP4, or a MOV with H.264 or HEVC and AAC.')
}

type Kind = MediaKind | 'gif'

/** Whether a rule applies to a post with such metadata. */
export const matches = ({ when = {} }: Pick<MediaRule, 'when'>, metadata: unknown): boolean =>
  Object.entries(when).every(([field, values]) => {
    const value = (metadata as Readonly<Record<string, unknown>> | null | undefined)?.[field]
    return (typeof value === 'string' || typeof value === 'boolean') && values.includes(String(value))
  })

/** The rule for a post's media; undefined if none matches its metadata, which is then invalid itself. */
export const mediaRuleFor = ({ rules }: PlatformDefinition, metadata: unknown, tier?: string): MediaRule | undefined =>
  rules.media.find((rule) => (rule.tier === undefined || rule.tier === tier) && matches(rule, metadata))

const ruleKindOf = (rule: MediaRule, { mimeType }: MediaFile): Kind =>
  mimeType === 'image/gif' && rule.gif !== undefined ? 'gif' : kindOf(mimeType)

/** The rule for one file of a post. */
export const fileRuleFor = (rule: MediaRule, file: MediaFile): FileRule | undefined => rule[ruleKindOf(rule, file)]

const typesOf = ({ image, gif, video, document }: MediaRule) =>
  [image, gif, video, document].flatMap((kind) => kind?.types ?? [])

const checkFiles = (name: string, rule: MediaRule, media: readonly MediaFile[]): Finding[] =>
  media.flatMap((file) => {
    const own = fileRuleFor(rule, file)
    if (own?.types.includes(file.mimeType)) return [...checkContainer(own, file), ...checkFile(own, file)]
    const message = `${file.originalFilename} is ${file.mimeType}`
    return [
      {
        code: 'media_type',
        message,
        next: `Attach only types that ${name} accepts here: ${typesOf(rule).join(', ')}.`,
      },
    ]
  })

const nouns: Readonly<Record<Kind, string>> = {
  image: 'images',
  gif: 'animated GIFs',
  video: 'videos',
  document: 'documents',
  captions: 'caption files',
}

const checkCounts = (rule: MediaRule, media: readonly MediaFile[]): Finding[] => {
  const { min, max } = rule
  const count = media.length
  if (count < min) {
    const next = min === max ? `Attach exactly ${min}.` : `Attach at least ${min}.`
    return [{ code: 'media_count', message: `${count}/${min} files`, next }]
  }
  if (count > max) {
    const next = `Attach at most ${max}.`
    return [{ code: 'media_count', message: `${count}/${max} files`, next }]
  }
  const kinds = [...new Set(media.map((file) => ruleKindOf(rule, file)))]
  if (!rule.mixed && kinds.length > 1) {
    const message = `${kinds.map((kind) => nouns[kind]).join(' and ')} in one post`
    return [{ code: 'media_type', message, next: 'Attach files of one kind.' }]
  }
  return kinds.flatMap((kind) => {
    const used = media.filter((file) => ruleKindOf(rule, file) === kind).length
    const maxFiles = rule[kind]?.max ?? max
    if (used <= maxFiles) return []
    return [{ code: 'media_count', message: `${used}/${maxFiles} ${nouns[kind]}`, next: `Attach at most ${maxFiles}.` }]
  })
}

const checkTotal = ({ maxTotalBytes }: MediaRule, media: readonly MediaFile[]): Finding[] => {
  const totalBytes = media.reduce((sum, { fileSize }) => sum + fileSize, 0)
  if (maxTotalBytes === undefined || totalBytes <= maxTotalBytes) return []
  const message = `the files have ${totalBytes}/${maxTotalBytes} bytes in total`
  return [{ code: 'media_size', message, next: 'Attach fewer or smaller files.' }]
}

/** The rule for the file of a metadata field; `*` in a rule stands for every item of a list. */
export const assetRuleFor = ({ rules }: Pick<PlatformDefinition, 'rules'>, field: string): FileRule | undefined =>
  rules.assetFields?.[field.replace(/\.\d+\./g, '.*.')]

/** The files that metadata fields name, each against the rule of its field. */
export const checkAssets = (definition: PlatformDefinition, { assets = {} }: CheckedPost): Finding[] =>
  Object.entries(assets).flatMap(([field, file]): Finding[] => {
    const { id, name } = definition
    const rule = assetRuleFor(definition, field)
    if (rule === undefined) return []
    const at = { field: `metadata.${id}.${field}` }
    if (rule.types.includes(file.mimeType)) return checkFile(rule, file).map((finding) => ({ ...finding, ...at }))
    const message = `${field} is ${file.mimeType}`
    return [
      { code: 'media_type', message, next: `Use a type that ${name} accepts here: ${rule.types.join(', ')}.`, ...at },
    ]
  })

/** The files of a post against the platform's rule for it. */
export const checkMedia = (definition: PlatformDefinition, { media, metadata, tier }: CheckedPost): Finding[] => {
  const rule = mediaRuleFor(definition, metadata, tier)
  if (rule === undefined) return []
  return [...checkFiles(definition.name, rule, media), ...checkCounts(rule, media), ...checkTotal(rule, media)]
}

/** The recommendations that a valid file violates. An average frame rate that varies is compared here, with all limits. */
const adviceForFile = ({ advised = {}, ...rule }: FileRule, file: MediaFile): Finding[] => {
  const { video } = file
  const averaged = video?.hasVariableFrameRate ? { ...file, video: { ...video, hasVariableFrameRate: false } } : file
  return [
    ...checkDuration(advised, file),
    ...(averaged === file ? [] : checkStreams(rule, averaged)),
    ...checkStreams(advised, averaged),
  ]
}

/** An animated image whose first frame is shown: the conversion sends no more, or the platform shows no more. */
const checkMotion = ({ sent, showsStill }: FileRule, file: MediaFile): Pick<PlatformWarning, 'message' | 'next'>[] => {
  const moves = showsStill !== true && (sent === undefined || fits(file, sent))
  if (file.frames === undefined || moves) return []
  const takesGif = showsStill !== true && sent?.types.includes('image/gif')
  const instead = takesGif ? `a GIF of at most ${sent?.maxBytes} bytes, or ` : ''
  const message = `${file.originalFilename} moves, and is shown as its first frame`
  return [{ message, next: `Attach ${instead}a video.` }]
}

/** The platform's recommendations that a post's files do not meet; checked for a valid post. */
export const adviceFor = (
  definition: PlatformDefinition,
  { media, metadata, tier }: CheckedPost,
): PlatformWarning[] => {
  const mediaRule = mediaRuleFor(definition, metadata, tier)
  if (mediaRule === undefined) return []
  return media.flatMap((file): PlatformWarning[] => {
    const [rule, field] = [fileRuleFor(mediaRule, file), 'mediaUrls' as const]
    if (rule === undefined) return []
    return [
      ...adviceForFile(rule, file).map(({ message, next }) => ({
        code: 'may_be_rejected' as const,
        field,
        message,
        next,
      })),
      ...checkMotion(rule, file).map((warning) => ({ code: 'still_image' as const, field, ...warning })),
    ]
  })
}
