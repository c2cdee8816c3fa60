import { kindOf } from '../../../../shared/media/types.ts'
import type { ChosenFile } from '../media/uploads.tsx'
import { knownPlatform, type Platform, schemaOf } from './platforms.ts'
import { type Form, isThread } from './state.ts'

type Block = Readonly<Record<string, unknown>>
type MediaRule = Platform['media'][number]

/** The rule of a file. Platforms without one for GIFs have that of images. */
const limitsOf = (rule: MediaRule, { mimeType = '' }: ChosenFile) => {
  const kind = kindOf(mimeType)
  if (kind === 'captions') return undefined
  return mimeType === 'image/gif' ? (rule.gif ?? rule.image) : rule[kind]
}

/** Whether a rule accepts files of these kinds, as many as they are. */
const accepts = (rule: MediaRule, files: readonly ChosenFile[]): boolean =>
  files.length >= rule.min &&
  files.length <= rule.max &&
  [...Map.groupBy(files, (file) => limitsOf(rule, file))].every(
    ([limits, own]) => limits !== undefined && own.length <= limits.max,
  )

/**
 * The fields that follow from the files: a photo on Instagram is a `feed_image`, a video a `reel`. What was chosen stays, and
 * a rule of all formats wins over those of some.
 */
const inferred = (platform: string, files: readonly ChosenFile[], own: Block): Block => {
  const rules = (knownPlatform(platform)?.media ?? [])
    .filter(({ when = {} }) =>
      Object.entries(when).every(([name, values]) => values.includes(String(own[name] ?? values[0]))),
    )
    .toSorted((a, b) => Number(a.when !== undefined) - Number(b.when !== undefined))
  const { when = {} } = rules.find((rule) => accepts(rule, files)) ?? {}
  return Object.fromEntries(Object.entries(when).map(([name, [first]]) => [name, first]))
}

/** The files that a platform gets. */
export const filesFor = ({ parts, platformFiles }: Form, platform: string): readonly ChosenFile[] =>
  platformFiles[platform] ?? parts[0]?.files ?? []

/** The text that a platform gets. */
export const textFor = ({ parts, platformContent }: Form, platform: string, n = 0): string =>
  (isThread({ parts }) ? undefined : platformContent[platform]) ?? parts[n]?.content ?? ''

/** The block of a platform: what was filled in, what follows from the files, and the text where the block requires it. */
export const blockFor = (form: Form, platform: string): Block => {
  const { required = [] } = schemaOf(platform)
  const field = knownPlatform(platform)?.text.field
  const text = textFor(form, platform)
  const own = form.metadata[platform] ?? {}
  return {
    ...inferred(platform, filesFor(form, platform), own),
    ...(field !== undefined && required.includes(field) && text !== '' && { [field]: text }),
    ...own,
  }
}
