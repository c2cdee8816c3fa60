import * as z from 'zod/mini'
import { readObject } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import { type CaptionsFormat, inFormat } from '../media/captions.ts'
import type { OutgoingPost } from './post.ts'
import type { Captions } from './rules/captions.ts'

/** A track of captions, with the location of its file, as journaled. */
export const Track = z.object({
  language: z.string(),
  name: z.string(),
  storageKey: z.string(),
  format: z.enum(['vtt', 'srt']),
})
export type Track = z.infer<typeof Track>

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

const nameOf = ({ name, language }: Captions): string => name ?? languageNames.of(language) ?? language

/** The tracks that the metadata of a post name. */
export const tracksOf = ({ assets }: Pick<OutgoingPost, 'assets'>, captions: readonly Captions[] = []): Track[] =>
  captions.flatMap((track, index) => {
    const file = assets[`captions.${index}.mediaAssetId`]
    if (file === undefined) return []
    const { storageKey, mimeType } = file
    return [
      { language: track.language, name: nameOf(track), storageKey, format: mimeType === 'text/vtt' ? 'vtt' : 'srt' },
    ]
  })

/** The file of a track, in the one format that a platform takes, or unchanged. */
export const readTrack = async (
  ctx: Context,
  { storageKey, format: own }: Track,
  format: CaptionsFormat = own,
): Promise<Buffer> => Buffer.from(inFormat(Buffer.from(await readObject(ctx, storageKey)).toString(), format))
