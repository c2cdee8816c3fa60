import type { MediaFile } from './media-file.ts'
import { derivedKeyOf } from './reference.ts'
import type { VideoInfo } from './video-info.ts'

/** The form in which a platform accepts a video, as far as it is possible without decoding. */
export interface VideoForm {
  /** A QuickTime file is rewritten as MP4 (`canBecomeMp4`). */
  container?: 'mp4'
  /** The index (`moov`) is before the media data. */
  indexFirst?: true
  /** Edit lists that change nothing are removed; others stay. */
  editLists?: false
}

const isQuickTime = ({ mimeType }: Pick<MediaFile, 'mimeType'>) => mimeType === 'video/quicktime'

/** Whether a file has another container than the platform accepts. */
export const hasOtherContainer = (file: Pick<MediaFile, 'mimeType'>, { container }: VideoForm): boolean =>
  container === 'mp4' && isQuickTime(file)

/** The type of a video in a platform's form. */
export const remuxedTypeOf = ({ mimeType }: Pick<MediaFile, 'mimeType'>, { container }: VideoForm): string =>
  container === 'mp4' ? 'video/mp4' : mimeType

/** Whether streams of a QuickTime file may be in an MP4 as they are; false if they are unknown. */
export const canBecomeMp4 = (video: VideoInfo | undefined): boolean => {
  const { codec = '', audioCodec, audioSampleRateHz } = video ?? {}
  const isSilent = audioCodec === undefined && audioSampleRateHz === undefined
  return ['h264', 'hevc'].includes(codec) && (isSilent || ['aac', 'he-aac'].includes(audioCodec ?? ''))
}

/** Whether a platform accepts a video only after it was rewritten. Unknown properties are no reason. */
export const mustRemux = (file: MediaFile, form: VideoForm): boolean =>
  hasOtherContainer(file, form) ||
  (form.indexFirst === true && file.video?.hasIndexFirst === false) ||
  (form.editLists === false && file.video?.editLists === 'whole')

/** Incremented when the output changes, so that earlier results are no longer found. */
const recipe = 2

/** The key of a video in a platform's form. */
export const remuxedKeyOf = (workspaceId: string, file: MediaFile, sent: VideoForm): string => {
  const { container = null, indexFirst = false, editLists = true } = sent
  const form = [recipe, container, indexFirst, editLists]
  const extension = isQuickTime({ mimeType: remuxedTypeOf(file, sent) }) ? 'mov' : 'mp4'
  return derivedKeyOf({ workspaceId, assetId: file.id }, form, extension)
}
