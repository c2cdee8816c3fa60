import type { Context } from '../context.ts'
import { ConversionError } from '../media/conversion-error.ts'
import { fits, type ImageFormat } from '../media/image-formats.ts'
import type { MediaFile } from '../media/media-file.ts'
import type { FileRule, PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'
import type { OutgoingPost } from './post.ts'
import { fileRuleFor, mediaRuleFor } from './rules/media.ts'

/**
 * Brings an image into a platform's format: `convertImage` converts it, `convertedImage` finds what was converted
 * before.
 */
export type Convert = (ctx: Context, workspaceId: string, file: MediaFile, sent: ImageFormat) => Promise<MediaFile>

/** A conversion error as the error of the publication it stops. */
const asPlatformError = (error: unknown): unknown =>
  error instanceof ConversionError ? new PlatformError('invalid', error.message) : error

type Files = Pick<OutgoingPost, 'media' | 'assets'>

/** The format in which a platform takes an image; undefined for every other file. */
const sentAs = (file: MediaFile, rule: FileRule | undefined): ImageFormat | undefined =>
  file.mimeType.startsWith('image/') ? rule?.sent : undefined

/** Each file of a post with the rule of its platform. */
const rulesOf = (definition: PlatformDefinition, metadata: unknown) => {
  const mediaRule = mediaRuleFor(definition, metadata)
  return {
    ofMedia: (file: MediaFile) => mediaRule && fileRuleFor(mediaRule, file),
    ofAsset: (field: string) => definition.rules.assetFields?.[field],
  }
}

/** Whether the platform of a post takes one of its images only after a conversion. */
export const mustConvert = (definition: PlatformDefinition, metadata: unknown, { media, assets }: Files): boolean => {
  const { ofMedia, ofAsset } = rulesOf(definition, metadata)
  const differs = (file: MediaFile, rule: FileRule | undefined) => {
    const sent = sentAs(file, rule)
    return sent !== undefined && !fits(file, sent)
  }
  return (
    media.some((file) => differs(file, ofMedia(file))) ||
    Object.entries(assets).some(([field, file]) => differs(file, ofAsset(field)))
  )
}

/**
 * Brings the images of a post into the form its platform accepts (`FileRule.sent`). Throws `PlatformError`, or
 * `NotConverted`.
 */
export const convertFiles = async (
  ctx: Context,
  workspaceId: string,
  post: { definition: PlatformDefinition; metadata: unknown; files: Files },
  convert: Convert,
): Promise<Files> => {
  const { media, assets } = post.files
  const { ofMedia, ofAsset } = rulesOf(post.definition, post.metadata)
  const one = async (file: MediaFile, rule: FileRule | undefined) => {
    const sent = sentAs(file, rule)
    if (sent === undefined) return file
    return convert(ctx, workspaceId, file, sent).catch((error: unknown) => {
      throw asPlatformError(error)
    })
  }
  const named = Object.entries(assets).map(async ([field, file]) => [field, await one(file, ofAsset(field))] as const)
  return {
    media: await Promise.all(media.map((file) => one(file, ofMedia(file)))),
    assets: Object.fromEntries(await Promise.all(named)),
  }
}
