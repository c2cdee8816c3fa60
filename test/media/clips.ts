const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const zeros = (count: number) => Buffer.alloc(count)

/** A box of a film (ISO 14496-12, 4.2). */
export const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

export interface ClipOptions {
  brand?: 'isom' | 'qt  '
  width?: number
  height?: number
  /** 0: the film does not tell. */
  durationMs?: number
  /** As a phone held upright writes it: pictures that lie on their side, and a matrix that turns them. */
  turned?: boolean
  /** The index lies behind the pictures, as cameras write it. */
  indexLast?: boolean
  sound?: boolean
  picture?: boolean
  /** Only part of it is shown, by an edit list. */
  shownMs?: number
  /** How many bytes its pictures have. */
  bytes?: number
}

const upright = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
const quarterTurn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
const matrix = (isTurned: boolean) => Buffer.concat((isTurned ? quarterTurn : upright).map(u32))

const perSecond = 1000

const clock = (type: string, durationMs: number, rest: Buffer) =>
  box(type, zeros(12), u32(perSecond), u32(durationMs), rest)

const trackHeader = (id: number, shownMs: number, width: number, height: number, isTurned: boolean) => {
  const head = Buffer.concat([u32(3), zeros(8), u32(id), zeros(4), u32(shownMs), zeros(16)])
  return box('tkhd', head, matrix(isTurned), u32(width * 65_536), u32(height * 65_536))
}

const sampleTable = (entry: Buffer, durationMs: number, offset: number, bytes: number) => {
  const samples = 10
  const table = (type: string, ...numbers: readonly number[]) => box(type, u32(0), ...numbers.map(u32))
  return box(
    'stbl',
    box('stsd', u32(0), u32(1), entry),
    table('stts', 1, samples, Math.round(durationMs / samples)),
    table('stsc', 1, 1, samples, 1),
    table('stsz', Math.floor(bytes / samples), samples),
    table('stco', 1, offset),
  )
}

const handler = (type: string) => box('hdlr', zeros(8), Buffer.from(type), zeros(13))

/** A film by its boxes, with nothing to see: an index that says everything, and as many zeros as pictures as are asked for. */
export const clip = (options: ClipOptions = {}): Buffer => {
  const { brand = 'isom', width = 1080, height = 1920, durationMs = 15_000, turned = false, bytes = 1000 } = options
  const { sound = false, picture = true, indexLast = false, shownMs } = options
  const shown = shownMs ?? durationMs
  const edits =
    shownMs === undefined ? [] : [box('edts', box('elst', u32(0), u32(1), u32(shown), u32(0), u32(0x10000)))]
  const track = (type: string, header: Buffer, media: Buffer, entry: Buffer) =>
    box(
      'trak',
      header,
      ...edits,
      box(
        'mdia',
        clock('mdhd', durationMs, zeros(4)),
        handler(type),
        box('minf', media, sampleTable(entry, durationMs, 0, bytes)),
      ),
    )
  const [codedWidth, codedHeight] = turned ? [height, width] : [width, height]
  const coded = box('avc1', zeros(6), u16(1), zeros(16), u16(codedWidth), u16(codedHeight), zeros(50))
  const video = () =>
    track('vide', trackHeader(1, shown, codedWidth, codedHeight, turned), box('vmhd', zeros(12)), coded)
  const audio = () =>
    track('soun', trackHeader(2, shown, 0, 0, false), box('smhd', zeros(8)), box('mp4a', zeros(6), u16(1), zeros(20)))
  const movieRest = Buffer.concat([u32(0x10000), u16(0x100), zeros(10), matrix(false), zeros(24), u32(3)])
  const index = box('moov', clock('mvhd', shown, movieRest), ...(picture ? [video()] : []), ...(sound ? [audio()] : []))
  const brands = box('ftyp', Buffer.from(brand), u32(512), Buffer.from(brand === 'qt  ' ? 'qt  ' : 'isomiso2avc1mp41'))
  const pictures = box('mdat', zeros(bytes))
  return Buffer.concat(indexLast ? [brands, pictures, index] : [brands, index, pictures])
}
