/** The formats of caption files. */
export type CaptionsFormat = 'vtt' | 'srt'

interface Cue {
  /** `hh:mm:ss` and milliseconds, as both formats write them but for the separator. */
  start: readonly [string, string]
  end: readonly [string, string]
  text: string
}

/** The line of times of a cue: WebVTT may leave out the hours and add settings (W3C WebVTT, 4.1; SubRip). */
const times = /^ *(?:(\d{1,3}):)?(\d\d:\d\d)[.,](\d{3}) +--> +(?:(\d{1,3}):)?(\d\d:\d\d)[.,](\d{3})/

const clock = (hours = '0', rest = '') => `${hours.padStart(2, '0')}:${rest}`

/** The cues of a WebVTT or SubRip text; notes, styles, and regions are left out. */
export const cuesOf = (text: string): Cue[] => {
  const blocks = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return blocks.split(/\n\n+/).flatMap((block) => {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => times.test(line))
    // Before the times there is a name or a number at most.
    const match = at === 0 || at === 1 ? times.exec(lines[at] ?? '') : null
    if (match === null) return []
    const [, startHours, start, startMs = '', endHours, end, endMs = ''] = match
    const said = lines
      .slice(at + 1)
      .join('\n')
      .trimEnd()
    return [{ start: [clock(startHours, start), startMs], end: [clock(endHours, end), endMs], text: said }]
  })
}

const separators = { vtt: '.', srt: ',' }

/** The format of a text by its first line; undefined for any other text (W3C WebVTT, 4.1). */
export const captionsFormatOf = (text: string): CaptionsFormat | undefined => {
  const start = text.replace(/^\uFEFF/, '')
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(start)) return 'vtt'
  return /^\s*\d+ *\r?\n *\d{1,3}:\d\d:\d\d[.,]\d/.test(start) ? 'srt' : undefined
}

/** Captions in a format: unchanged if they have it, otherwise their times and texts. */
export const inFormat = (text: string, format: CaptionsFormat): string => {
  if (captionsFormatOf(text) === format) return text
  const separator = separators[format]
  const cues = cuesOf(text).map(({ start, end, text: said }, index) => {
    const number = format === 'srt' ? `${index + 1}\n` : ''
    return `${number}${start.join(separator)} --> ${end.join(separator)}\n${said}\n`
  })
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${cues.join('\n')}`
}
