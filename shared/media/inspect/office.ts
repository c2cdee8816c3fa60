import type { MediaType } from '../types.ts'
import { endsAsZip, tailBytes, zipEnd } from './archive.ts'
import { counter, invalidFile, truncated } from './invalid-file.ts'
import type { Source } from './source.ts'

const word: MediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const powerPoint: MediaType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
const oldWord: MediaType = 'application/msword'
const oldPowerPoint: MediaType = 'application/vnd.ms-powerpoint'

export const isZip = (start: Buffer): boolean => start.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
/** Compound files of Office 97 to 2003 (MS-CFB, 2.2). */
const isCompound = (start: Buffer): boolean => start.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))

/** Decided: a presentation of 300 slides has about 2,000 parts of some 120 bytes each in the directory. */
const maxParts = 10_000
const maxDirectoryBytes = 2 * 1024 * 1024

const entryBytes = 46
const entrySign = 0x02014b50

/** The names of the parts of a ZIP, from its central directory (APPNOTE 4.3.12). */
const partNames = (directory: Buffer): string[] => {
  const count = counter(maxParts, `is an archive with more than ${maxParts} parts`)
  const names: string[] = []
  for (let at = 0; at + entryBytes <= directory.length && directory.readUInt32LE(at) === entrySign; ) {
    count()
    const nameEnd = at + entryBytes + directory.readUInt16LE(at + 28)
    names.push(directory.toString('latin1', at + entryBytes, nameEnd))
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return names
}

/** Word and PowerPoint files are ZIPs with a list of content types and their own folder (ECMA-376, part 2). */
const zipTypeOf = async (source: Source): Promise<MediaType | undefined> => {
  const tailAt = Math.max(0, source.size - tailBytes)
  const tail = await source.read(tailAt, source.size)
  if (!endsAsZip(tail)) throw truncated('document')
  const at = tail.lastIndexOf(zipEnd)
  const [bytes, from] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  if (from + bytes > tailAt + at) throw invalidFile('media_damaged', 'is a document with a damaged directory')
  if (bytes > maxDirectoryBytes) {
    throw invalidFile('media_complex', `is an archive with a directory of more than ${maxDirectoryBytes} bytes`)
  }
  const names = partNames(await source.read(from, from + bytes))
  if (!names.includes('[Content_Types].xml')) return undefined
  const has = (folder: string) => names.some((name) => name.startsWith(folder))
  if (has('word/')) return has('ppt/') ? undefined : word
  return has('ppt/') ? powerPoint : undefined
}

const headerBytes = 512
/** The locations of this many sectors of the allocation table are in the header, further ones in separate sectors. */
const locationsInHeader = 109
const maxLocationSectors = 20
const lastSector = 0xfffffffa
/** Decided: a directory of this many sectors has 160 entries at least; Word and PowerPoint write their own first. */
const maxDirectorySectors = 40
const entryLength = 128

const damagedCompound = () => invalidFile('media_damaged', 'is a document with a damaged directory')

/** Reads a compound file sector by sector: the location of a sector, and which one follows it (MS-CFB, 2.3 to 2.5). */
const openCompound = (source: Source) => {
  const header = source.start.subarray(0, headerBytes)
  if (header.length < headerBytes) throw truncated('document')
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damagedCompound()
  const sectorBytes = 1 << shift
  const perSector = sectorBytes / 4
  const known = new Map<number, Buffer>()
  const read = async (sector: number): Promise<Buffer> => {
    const seen = known.get(sector)
    if (seen !== undefined) return seen
    const bytes = await source.read((sector + 1) * sectorBytes, (sector + 2) * sectorBytes)
    if (bytes.length < sectorBytes) throw truncated('document')
    known.set(sector, bytes)
    return bytes
  }
  /** The sector that holds a part of the allocation table. */
  const locationOf = async (part: number): Promise<number> => {
    if (part < locationsInHeader) return header.readUInt32LE(76 + 4 * part)
    const beyond = part - locationsInHeader
    const hops = Math.floor(beyond / (perSector - 1))
    if (hops >= maxLocationSectors) throw damagedCompound()
    let locations = await read(header.readUInt32LE(68))
    for (let n = 0; n < hops; n += 1) locations = await read(locations.readUInt32LE(sectorBytes - 4))
    return locations.readUInt32LE(4 * (beyond % (perSector - 1)))
  }
  return {
    first: header.readUInt32LE(48),
    read,
    async next(sector: number): Promise<number> {
      const part = await read(await locationOf(Math.floor(sector / perSector)))
      return part.readUInt32LE(4 * (sector % perSector))
    },
  }
}

/** The names of the streams in a sector of the directory (MS-CFB, 2.6.1). */
const streamNames = (sector: Buffer): string[] =>
  Array.from({ length: sector.length / entryLength }, (_, n) => {
    const entry = sector.subarray(n * entryLength, (n + 1) * entryLength)
    return entry.toString('utf16le', 0, Math.max(0, Math.min(entry.readUInt16LE(64), 64) - 2))
  })

/** A text has the stream `WordDocument` (MS-DOC, 2.1.1), slides have `PowerPoint Document` (MS-PPT, 2.1.2). */
const compoundTypeOf = async (source: Source): Promise<MediaType | undefined> => {
  const { first, read, next } = openCompound(source)
  const names = new Set<string>()
  let sector = first
  for (let n = 0; n < maxDirectorySectors && sector < lastSector; n += 1) {
    for (const name of streamNames(await read(sector))) names.add(name)
    sector = await next(sector)
  }
  // A text can contain slides, with their stream.
  if (names.has('WordDocument')) return oldWord
  return names.has('PowerPoint Document') ? oldPowerPoint : undefined
}

/** Word and PowerPoint files have the same first bytes: a file that is identified by them alone counts as a Word file. */
export const officeTypeByStart = (start: Buffer): MediaType | undefined => {
  if (isZip(start)) return word
  return isCompound(start) ? oldWord : undefined
}

/**
 * The type of a Word or PowerPoint file by the names of its parts; undefined for any other. Pages are not counted and
 * contents not read, so the cost does not grow with the file. Throws a `Refusal` for a truncated or damaged one.
 */
export const officeTypeOf = async (source: Source): Promise<MediaType | undefined> => {
  if (isZip(source.start)) return zipTypeOf(source)
  return isCompound(source.start) ? compoundTypeOf(source) : undefined
}
