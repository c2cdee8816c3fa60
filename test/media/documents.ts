import { crc32 } from 'node:zlib'

const u16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A PDF of no pages with so many bytes of a stream. */
export const pdf = (bytes = 0): Buffer =>
  Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj<</Length ${bytes}>>stream\n`),
    Buffer.alloc(bytes, 'a'),
    Buffer.from('endstream endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'),
  ])

/** A ZIP of parts that are stored uncompressed (APPNOTE 4.3). */
export const zip = (parts: Readonly<Record<string, string>>): Buffer => {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const data = Buffer.from(text)
    const sizes = [u32(crc32(data)), u32(data.length), u32(data.length), u16(Buffer.byteLength(name)), u16(0)]
    const common = Buffer.concat([u16(20), u16(0), u16(0), u16(0), u16(0), ...sizes])
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), data])
    directory.push(
      Buffer.concat([
        ...[Buffer.from('PK\x01\x02', 'latin1'), u16(20), common, u16(0), u16(0), u16(0), u32(0), u32(at)],
        Buffer.from(name),
      ]),
    )
    local.push(entry)
    at += entry.length
  }
  const index = Buffer.concat(directory)
  const count = Object.keys(parts).length % 65_536
  const end = [Buffer.from('PK\x05\x06', 'latin1'), u16(0), u16(0), u16(count), u16(count), u32(index.length), u32(at)]
  return Buffer.concat([...local, index, ...end, u16(0)])
}

const types = { '[Content_Types].xml': '<Types/>' }
/** The list of types is first in files of Office, and last in those of others. */
export const docx = (): Buffer => zip({ ...types, 'word/document.xml': '<w:document/>' })
export const pptx = (): Buffer => zip({ 'ppt/presentation.xml': '<p:presentation/>', ...types })

const sectorBytes = 512
const perSector = sectorBytes / 4
const endOfChain = 0xfffffffe

const streamEntry = (name: string) => {
  const entry = Buffer.alloc(128)
  entry.write(name, 0, 'utf16le')
  entry.writeUInt16LE(2 * name.length + 2, 64)
  return entry
}

/** A compound file whose directory begins at a sector: behind thousands of them in a large file (MS-CFB). */
export const compound = (names: readonly string[], directoryAt = 2): Buffer => {
  const sectors = Math.max(1, Math.ceil(names.length / 4))
  const file = Buffer.alloc((directoryAt + sectors + 1) * sectorBytes)
  file.write('d0cf11e0a1b11ae1', 'hex')
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(directoryAt, 48)
  const part = Math.floor(directoryAt / perSector)
  // The part of the allocation table is in sector 0, what says so in the header or in sector 1.
  if (part >= 109) {
    file.writeUInt32LE(1, 68)
    file.fill(0xff, 2 * sectorBytes, 3 * sectorBytes)
    file.writeUInt32LE(0, 2 * sectorBytes + 4 * (part - 109))
  } else file.writeUInt32LE(0, 76 + 4 * part)
  for (let n = 0; n < sectors; n += 1) {
    const next = n === sectors - 1 ? endOfChain : directoryAt + n + 1
    file.writeUInt32LE(next, sectorBytes + 4 * ((directoryAt + n) % perSector))
  }
  Buffer.concat(names.map(streamEntry)).copy(file, (directoryAt + 1) * sectorBytes)
  return file
}

export const oldDoc = (): Buffer => compound(['Root Entry', '1Table', 'WordDocument'])
export const oldPpt = (): Buffer => compound(['Root Entry', 'Current User', 'Pictures', 'x', 'PowerPoint Document'])
