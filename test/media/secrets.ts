import sharp, { type Sharp } from 'sharp'
import { box, clip, esds, soundEntry } from './clips.ts'
import { chunk, segment, webpChunk } from './files.ts'
import { halves, film as moving, noise, withExif } from './pictures.ts'

/** What no stored file may reveal: the author, the device, and the location. */
export const secrets = ['Ann Author', 'Lens & Sons', '+52.5170+013.3889']
const secretText = Buffer.from(secrets.join('; '))

/** The secrets that bytes contain as uncompressed text. */
export const secretsIn = (bytes: Uint8Array): string[] =>
  secrets.filter((secret) => Buffer.from(bytes).includes(secret))

const u32 = (...numbers: readonly number[]) => {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [n, value] of numbers.entries()) bytes.writeUInt32BE(value >>> 0, 4 * n)
  return bytes
}

/** The Exif block that a library writes for a photo that was turned. */
const exifOf = async (orientation: number): Promise<Buffer> => {
  const { exif } = await sharp(await withExif(halves(8, 8), orientation).jpeg().toBuffer()).metadata()
  if (exif === undefined) throw new Error('no Exif data were written')
  return exif
}

export const imageFormats = ['jpeg', 'png', 'webp', 'gif', 'moving gif'] as const
export type ImageFormatName = (typeof imageFormats)[number]

/** The parts of a file that can contain metadata, by format; `n` selects one. */
const hidden: Readonly<Record<'jpeg' | 'png' | 'webp' | 'gif', readonly Buffer[]>> = {
  jpeg: [
    segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), secretText])),
    segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xmp/extension/\0'), secretText])),
    segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), secretText])),
    segment(0xfe, secretText),
    segment(0xe2, Buffer.concat([Buffer.from('MPF\0'), secretText])),
    segment(0xe0, Buffer.concat([Buffer.from('JFXX\0\x10', 'latin1'), secretText])),
    segment(0xe7, secretText),
    segment(0xeb, secretText),
  ],
  png: [
    chunk('tEXt', Buffer.concat([Buffer.from('Author\0'), secretText])),
    chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), secretText])),
    chunk('tIME', Buffer.from([7, 0xea, 1, 1, 12, 0, 0])),
    chunk('prVt', secretText),
  ],
  webp: [webpChunk('XMP ', secretText), webpChunk('ABCD', secretText)],
  gif: [
    Buffer.concat([Buffer.from([0x21, 0xfe, secretText.length]), secretText, Buffer.from([0])]),
    Buffer.concat([
      Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'),
      Buffer.from([secretText.length]),
      secretText,
      Buffer.from([0]),
    ]),
    Buffer.concat([
      Buffer.from('\x21\xff\x0bANNSCAMERA1', 'latin1'),
      Buffer.from([secretText.length]),
      secretText,
      Buffer.from([0]),
    ]),
  ],
}

const insert = (bytes: Buffer, at: number, parts: readonly Buffer[]) =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)])

/** A photo as a camera and a program leave it: turned, with a color profile, and with metadata in the parts that `picks` selects. */
export const secretImage = async (
  format: ImageFormatName,
  orientation: number,
  picks: readonly number[],
  make: () => Sharp = () => noise(48, 32),
): Promise<Buffer> => {
  const kind = format === 'moving gif' ? 'gif' : format
  const slots = hidden[kind]
  const chosen = picks.flatMap((pick) => slots[pick % slots.length] ?? [])
  if (kind === 'gif') {
    const bytes = format === 'gif' ? await make().gif().toBuffer() : await moving(48, 32)
    // Behind the screen and its colors.
    const packed = bytes.readUInt8(10)
    return insert(bytes, 13 + ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1)), chosen)
  }
  const image = make().withIccProfile('p3')
  if (kind === 'png') {
    const bytes = await image.png().toBuffer()
    return insert(bytes, 33, [chunk('eXIf', (await exifOf(orientation)).subarray(6)), ...chosen])
  }
  if (kind === 'webp') {
    const bytes = await withExif(image, orientation).webp().toBuffer()
    const whole = Buffer.concat([bytes, ...chosen])
    whole.writeUInt32LE(whole.length - 8, 4)
    whole.writeUInt8(whole.readUInt8(20) | 0x04, 20)
    return whole
  }
  const bytes = await withExif(image, orientation).jpeg().toBuffer()
  const second = picks.length % 2 === 1 ? [await withExif(halves(8, 8)).jpeg().toBuffer()] : []
  return Buffer.concat([insert(bytes, 2, chosen), ...second])
}

/** A film with more boxes at the end of one that is named by its path. */
const widen = (film: Buffer, path: readonly string[], ...parts: readonly Buffer[]): Buffer => {
  const starts = path.map((type) => film.indexOf(type) - 4)
  const [innermost = 0] = starts.slice(-1)
  const wide = insert(film, innermost + film.readUInt32BE(innermost), parts)
  const more = parts.reduce((sum, part) => sum + part.length, 0)
  for (const start of starts) wide.writeUInt32BE(film.readUInt32BE(start) + more, start)
  return wide
}

const handlerBox = (type: string) =>
  box('hdlr', Buffer.alloc(8), Buffer.from(type), Buffer.alloc(12), secretText, Buffer.alloc(1))

/** A track that records where a camera is, with one sample at an offset (QuickTime File Format, "Timed Metadata Media"). */
const locationTrack = (offset: number) =>
  box(
    'trak',
    box('tkhd', u32(0, 0, 0, 9, 0, 1000), Buffer.alloc(60)),
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, 1000, 1000, 0)),
      handlerBox('meta'),
      box(
        'minf',
        box('nmhd', u32(0)),
        box(
          'stbl',
          box('stsd', u32(0, 1), box('mebx', Buffer.alloc(8))),
          box('stts', u32(0, 1, 1, 1000)),
          box('stsc', u32(0, 1, 1, 1, 1)),
          box('stsz', u32(0, 0, 1, secretText.length)),
          box('stco', u32(0, 1, offset)),
        ),
      ),
    ),
  )

const metadataBoxes = () => {
  const locationRecord = Buffer.concat([Buffer.from([0, secretText.length, 0x15, 0xc7]), secretText])
  const names = ['location.ISO6709', 'make', 'model'].map((name) =>
    box('mdta', Buffer.from(`com.apple.quicktime.${name}`)),
  )
  const values = names
    .map(() => box('data', u32(1, 0), secretText))
    .map((data, n) => Buffer.concat([u32(8 + data.length, n + 1), data]))
  return [
    box('udta', box('\u00a9xyz', locationRecord), box('\u00a9mak', locationRecord), box('auth', locationRecord)),
    box('meta', handlerBox('mdta'), box('keys', u32(0, names.length), ...names), box('ilst', ...values)),
    box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), secretText),
  ]
}

/** A film of a camera, with its index last: every known metadata field contains the author, the device, and the location. */
export const secretFilm = (brand: 'qt  ' | 'isom', bytes = 60_000): Buffer => {
  const entry = soundEntry(
    'mp4a',
    { channels: 2, sampleRateHz: 48_000 },
    brand === 'isom'
      ? { boxes: [esds(0x40, [0x12, 0x08])] }
      : { version: 1, boxes: [box('wave', box('frma', Buffer.from('mp4a')), esds(0x40, [0x12, 0x08]))] },
  )
  const codec = box('avcC', Buffer.from('0142001effe100046742001e01000468ce3c80', 'hex'))
  const film = clip({
    brand,
    indexLast: true,
    bytes,
    durationMs: 5000,
    edits: [[5, 0]],
    codecBoxes: [codec],
    sound: true,
    soundEntry: entry,
  })
  const data = film.indexOf('mdat') + 4
  for (let n = 0; n < bytes; n += 1) film[data + n] = (n * 31 + (n >> 8)) & 0xff
  // The location data of the camera is after the pictures.
  const offset = data + bytes
  const recorded = widen(film, ['mdat'], secretText)
  const named = widen(recorded, ['moov', 'trak'], box('udta', box('name', secretText)))
  const whole = widen(named, ['moov'], locationTrack(offset), ...metadataBoxes())
  whole.writeUInt32BE(0xe4a5_0000, whole.indexOf('mvhd') + 8)
  return Buffer.concat([whole, box('free', secretText), box('uuid', Buffer.alloc(16, 7), secretText)])
}
