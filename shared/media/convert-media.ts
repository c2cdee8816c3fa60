import type { Context } from '../context.ts'
import type { FileRule, PlatformDefinition } from '../platforms/definition.ts'
import type { OutgoingPost } from '../platforms/post.ts'
import { fileRuleFor, mediaRuleFor } from '../platforms/rules/media.ts'
import { convertImage } from './convert.ts'
import type { MediaFile } from './media-file.ts'

type Files = Pick<OutgoingPost, 'media' | 'assets'>

/** The files of a post as its platform takes them; what it says of each kind of file decides. */
export const convertFiles = async (
  ctx: Context,
  workspaceId: string,
  definition: PlatformDefinition,
  metadata: unknown,
  { media, assets }: Files,
): Promise<Files> => {
  const mediaRule = mediaRuleFor(definition, metadata)
  const convert = (file: MediaFile, rule: FileRule | undefined) =>
    rule?.sent && file.mimeType.startsWith('image/') ? convertImage(ctx, workspaceId, file, rule.sent) : file
  const named = Object.entries(assets).map(
    async ([field, file]) => [field, await convert(file, definition.rules.assetFields?.[field])] as const,
  )
  return {
    media: await Promise.all(media.map((file) => convert(file, mediaRule && fileRuleFor(mediaRule, file)))),
    assets: Object.fromEntries(await Promise.all(named)),
  }
}
