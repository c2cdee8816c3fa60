import type { Context } from '../context.ts'
import { mustClean } from '../media/cleaned-file.ts'
import { ConversionError } from '../media/conversion-error.ts'
import { fits, type ImageFormat } from '../media/image-formats.ts'
import type { MediaFile } from '../media/media-file.ts'
import { mustRemux, type VideoForm } from '../media/video-form.ts'
import type { FileRule, PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'
import type { OutgoingPost } from './post.ts'
import { assetRuleFor, fileRuleFor, mediaRuleFor } from './rules/media.ts'

type ConvertOne<Form> = (ctx: Context, workspaceId: string, file: MediaFile, sent: Form) => Promise<MediaFile>

/**
 * Converts files into a platform's format: `cleanFile`, `convertImage`, and `remuxVideo` create them, `cleanedFile`,
 * `convertedImage`, and `remuxedVideo` find existing ones.
 */
export interface Convert {
  clean(ctx: Context, workspaceId: string, file: MediaFile): Promise<MediaFile>
  image: ConvertOne<ImageFormat>
  video: ConvertOne<VideoForm>
}

/** A conversion error as the error of the publication it stops. */
const asPlatformError = (error: unknown): unknown =>
  error instanceof ConversionError ? new PlatformError('invalid', error.message) : error

type Files = Pick<OutgoingPost, 'media' | 'assets'>

/** The format in which a platform accepts an image; undefined for every other file. */
const sentAs = (file: MediaFile, rule: FileRule | undefined): ImageFormat | undefined =>
  file.mimeType.startsWith('image/') ? rule?.sent : undefined

/** The form in which a platform accepts a video; undefined for every other file. */
const sentVideoAs = (file: MediaFile, rule: FileRule | undefined): VideoForm | undefined =>
  file.mimeType.startsWith('video/') ? rule?.sentVideo : undefined

/** Each file of a post with the rule of its platform. */
const rulesOf = (definition: PlatformDefinition, metadata: unknown) => {
  const mediaRule = mediaRuleFor(definition, metadata)
  return {
    ofMedia: (file: MediaFile) => mediaRule && fileRuleFor(mediaRule, file),
    ofAsset: (field: string) => assetRuleFor(definition, field),
  }
}

/** Whether a post's platform accepts one of its files only after a conversion. */
export const mustConvert = (definition: PlatformDefinition, metadata: unknown, { media, assets }: Files): boolean => {
  const { ofMedia, ofAsset } = rulesOf(definition, metadata)
  const differs = (file: MediaFile, rule: FileRule | undefined) => {
    const [sent, sentVideo] = [sentAs(file, rule), sentVideoAs(file, rule)]
    return (
      mustClean(file) ||
      (sent !== undefined && !fits(file, sent)) ||
      (sentVideo !== undefined && mustRemux(file, sentVideo))
    )
  }
  return (
    media.some((file) => differs(file, ofMedia(file))) ||
    Object.entries(assets).some(([field, file]) => differs(file, ofAsset(field)))
  )
}

/**
 * Brings the files of a post into the form its platform accepts (`FileRule.sent`, `FileRule.sentVideo`), without metadata. Throws
 * `PlatformError`, or `NotConverted`.
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
    const [sent, sentVideo] = [sentAs(file, rule), sentVideoAs(file, rule)]
    try {
      // A re-encoded image has no metadata.
      if (sent !== undefined && !fits(file, sent)) return await convert.image(ctx, workspaceId, file, sent)
      const clean = await convert.clean(ctx, workspaceId, file)
      return sentVideo === undefined ? clean : await convert.video(ctx, workspaceId, clean, sentVideo)
    } catch (error) {
      throw asPlatformError(error)
    }
  }
  const named = Object.entries(assets).map(async ([field, file]) => [field, await one(file, ofAsset(field))] as const)
  return {
    media: await Promise.all(media.map((file) => one(file, ofMedia(file)))),
    assets: Object.fromEntries(await Promise.all(named)),
  }
}
