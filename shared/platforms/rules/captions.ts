import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { captionsTypes } from '../../media/types.ts'
import type { PlatformId } from '../../resources.ts'
import { codePoints, limitedText } from '../../text/counting.ts'
import { languageTag } from '../../text/language-tag.ts'
import type { FileRule, OtherRule } from '../definition.ts'
import { metadataFinding } from './metadata-finding.ts'

const Captions = z.looseObject({
  mediaAssetId: described(z.string(), 'The ID of the caption file, `med_…`, in WebVTT or SubRip (SRT).'),
  language: described(languageTag, 'The language of the captions: a BCP 47 tag, such as `en` or `pt-BR`.'),
  name: described(
    z.optional(limitedText(150, codePoints)),
    'The name of the track, where the platform shows one. By default the English name of the language.',
  ),
})
export type Captions = z.infer<typeof Captions>

/** The field `captions` of a block: a limited number of tracks, each in a different language. */
export const captionsField = (max: number) =>
  described(
    z.optional(
      z.array(Captions).check(
        z.minLength(1),
        z.maxLength(max),
        z.refine((tracks) => new Set(tracks.map(({ language }) => language.toLowerCase())).size === tracks.length, {
          error: 'must have each language once',
        }),
      ),
    ),
    `Captions of the video: ${max === 1 ? 'one track' : `one track for each language, at most ${max}`}.`,
  )

/** The rule for caption files (`PostRules.assetFields`). */
export const captionsFiles = (maxBytes: number): Readonly<Record<'captions.*.mediaAssetId', FileRule>> => ({
  'captions.*.mediaAssetId': { max: 1, types: captionsTypes, maxBytes },
})

const HasCaptions = z.object({ captions: z.array(z.unknown()) })

/** Captions accompany a video; `source` is that of the platform's field. */
export const captionsNeedVideo = (platform: PlatformId, source: string): OtherRule => ({
  says: 'Captions need a video.',
  source,
  readsMetadata: true,
  check({ metadata, media }) {
    if (!z.safeParse(HasCaptions, metadata).success) return []
    if (media.some(({ mimeType }) => mimeType.startsWith('video/'))) return []
    const next = `Attach a video, or leave out metadata.${platform}.captions.`
    return [metadataFinding(platform)('captions', 'captions need a video', next)]
  },
})
