import type { IssueCode } from '../../errors/issue.ts'
import type { MediaFile } from '../../media/media-file.ts'
import type { FileRule, Finding } from '../definition.ts'

const size = ({ maxBytes }: FileRule, { originalFilename, fileSize }: MediaFile): Finding[] => {
  if (fileSize <= maxBytes) return []
  const message = `${originalFilename} has ${fileSize}/${maxBytes} bytes`
  return [{ code: 'media_size', message, next: 'Attach a smaller file.' }]
}

/** One number against its bounds, in words; nothing is said of what could not be measured. */
const bound = (
  code: IssueCode,
  name: string,
  what: string,
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
const ratio = (value: number) => `${Number(value.toFixed(3))}:1`

/** One file against the rule of its kind; dimensions and durations as they were measured at its upload. */
export const checkFile = (rule: FileRule, file: MediaFile): Finding[] => {
  const { originalFilename: name, width, height, durationMs, frames } = file
  const both = width !== undefined && height !== undefined && height > 0
  const at = 'media_dimensions'
  return [
    ...size(rule, file),
    ...bound(at, name, 'a width of', width, [rule.minWidth, rule.maxWidth], pixels),
    ...bound(at, name, 'a height of', height, [rule.minHeight, rule.maxHeight], pixels),
    ...bound(at, name, 'an area of', both ? width * height : undefined, [undefined, rule.maxPixels], pixels),
    ...bound(
      at,
      name,
      'an aspect ratio of',
      both ? width / height : undefined,
      [rule.minAspect, rule.maxAspect],
      ratio,
    ),
    ...bound(at, name, 'a frame count of', frames, [undefined, rule.maxFrames], whole),
    ...bound(
      at,
      name,
      'a total area of all frames of',
      both && frames !== undefined ? width * height * frames : undefined,
      [undefined, rule.maxMovingPixels],
      pixels,
    ),
    ...bound('media_duration', name, 'a duration of', durationMs, [rule.minDurationMs, rule.maxDurationMs], seconds),
  ]
}
