import { expect, test } from 'vitest'
import { captionsFormatOf, cuesOf, inFormat } from '../../shared/media/captions.ts'
import { srt, vtt } from './captions.ts'

const bom = '\uFEFF'

test.each([
  ['WebVTT', vtt, 'vtt'],
  ['WebVTT with a mark and CRLF', bom + vtt.replaceAll('\n', '\r\n'), 'vtt'],
  ['WebVTT without cues', 'WEBVTT', 'vtt'],
  ['SubRip', srt, 'srt'],
  ['SubRip with a mark and CRLF', bom + srt.replaceAll('\n', '\r\n'), 'srt'],
  ['SubRip that begins with an empty line', `\n${srt}`, 'srt'],
  ['a text', 'WEBVTTX\n', undefined],
  ['a list', '1\nBread', undefined],
] as const)('%s', (_, text, format) => {
  expect(captionsFormatOf(text)).toBe(format)
})

test('each format becomes the other with its times and texts, and stays itself byte for byte', () => {
  expect(inFormat(vtt, 'srt')).toBe(srt)
  expect(inFormat(srt, 'vtt')).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nFlour, water,\nsalt.\n\n00:00:03.000 --> 01:00:04.250\nAnd time. Ünd Zeit.\n',
  )
  expect([inFormat(vtt, 'vtt'), inFormat(srt, 'srt')]).toEqual([vtt, srt])
  expect(cuesOf(inFormat(srt.replaceAll('\n', '\r'), 'vtt'))).toEqual(cuesOf(vtt))
})

test('lines that are no cue are skipped', () => {
  expect(cuesOf('WEBVTT\n\nSTYLE\n::cue { color: red }\n\na\nb\n00:01.000 --> 00:02.000\nthird line\n')).toEqual([])
})
