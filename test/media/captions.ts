/** Two cues in WebVTT, with what SubRip does not have: a note, a name, settings, and times without hours. */
export const vtt = [
  'WEBVTT - Bread',
  '',
  'NOTE Baked at six',
  '',
  'first',
  '00:01.000 --> 00:02.500 align:start',
  'Flour, water,',
  'salt.',
  '',
  '00:00:03.000 --> 01:00:04.250',
  'And time. Ünd Zeit.',
  '',
].join('\n')

/** The same cues in SubRip. */
export const srt = [
  '1',
  '00:00:01,000 --> 00:00:02,500',
  'Flour, water,',
  'salt.',
  '',
  '2',
  '00:00:03,000 --> 01:00:04,250',
  'And time. Ünd Zeit.',
  '',
].join('\n')
