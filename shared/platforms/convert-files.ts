import type { Context } from '../context.ts'
import { ConversionError, convertImage } from '../media/convert-image.ts'
import type { MediaFile } from '../media/media-file.ts'
import type { FileRule, PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'
import type { OutgoingPost } from './post.ts'
import { fileRuleFor, mediaRuleFor } from './rules/media.ts'

/** A conversion error as the error of the publication it stops. */
const asPlatformError = (error: unknown): unknown =>
  error instanceof ConversionError
    ? new PlatformError(error.isTemporary ? 'transient' : 'invalid', error.message)
    : error

type Files = Pick<OutgoingPost, 'media' | 'assets'>

/** Converts the images of a post to the form its platform accepts (`FileRule.sent`). Throws `PlatformError`. */
export const convertFiles = async (
  ctx: Context,
  workspaceId: string,
  definition: PlatformDefinition,
  metadata: unknown,
  { media, assets }: Files,
): Promise<Files> => {
  const mediaRule = mediaRuleFor(definition, metadata)
  const convert = async (file: MediaFile, rule: FileRule | undefined) => {
    if (!rule?.sent || !file.mimeType.startsWith('image/')) return file
    return convertImage(ctx, workspaceId, file, rule.sent).catch((error: unknown) => {
      throw asPlatformError(error)
    })
  }
  const named = Object.entries(assets).map(
    async ([field, file]) => [field, await convert(file, definition.rules.assetFields?.[field])] as const,
  )
  return {
    media: await Promise.all(media.map((file) => convert(file, mediaRule && fileRuleFor(mediaRule, file)))),
    assets: Object.fromEntries(await Promise.all(named)),
  }
}
