import type { Context } from '../context.ts'
import type { FileRule, OutgoingPost, PlatformCard, PostMedia } from '../platforms/platform.ts'
import { fileRuleFor, mediaRuleFor } from '../platforms/rules/media.ts'
import { convertImage } from './convert.ts'

type Files = Pick<OutgoingPost, 'media' | 'assets'>

/** The files of a post as its platform takes them; what it says of each kind of file decides. */
export const convertFiles = async (
  ctx: Context,
  workspaceId: string,
  card: PlatformCard,
  metadata: unknown,
  { media, assets }: Files,
): Promise<Files> => {
  const mediaRule = mediaRuleFor(card, metadata)
  const convert = (file: PostMedia, rule: FileRule | undefined) =>
    rule?.sent && file.mimeType.startsWith('image/') ? convertImage(ctx, workspaceId, file, rule.sent) : file
  const named = Object.entries(assets).map(
    async ([field, file]) => [field, await convert(file, card.rules.assetFields?.[field])] as const,
  )
  return {
    media: await Promise.all(media.map((file) => convert(file, mediaRule && fileRuleFor(mediaRule, file)))),
    assets: Object.fromEntries(await Promise.all(named)),
  }
}
