import { boxesIn } from '../inspect/box.ts'
import { audioBoxesAt, esdsOf, visualEntryBytes } from '../inspect/codecs.ts'
import { box, CannotRemux } from './write.ts'

/** Boxes of a visual sample entry that MP4 has, too: the decoder's configuration, the shape of pixels, HDR. */
const visualBoxes = [
  'avcC',
  'hvcC',
  'pasp',
  'clap',
  'btrt',
  'dvcC',
  'dvvC',
  'dvwC',
  'mdcv',
  'clli',
  'lhvC',
  'vexu',
  'hfov',
]

/** QuickTime's colors are MP4's, followed by a byte for the range (ISO 14496-12, 12.1.5); video has the narrow one. */
const mp4Colors = (content: Buffer): Buffer =>
  content.toString('latin1', 0, 4) === 'nclc'
    ? Buffer.concat([Buffer.from('nclx'), content.subarray(4, 10), Buffer.alloc(1)])
    : content

const visualEntry = (type: string, content: Buffer): Buffer => {
  const fields = Buffer.from(content.subarray(0, visualEntryBytes))
  // Version, vendor, and qualities of QuickTime.
  fields.fill(0, 8, 24)
  const boxes = [...boxesIn(content.subarray(visualEntryBytes))].flatMap(({ type: name, content: inner }) => {
    if (name === 'colr') return [box(name, mp4Colors(inner))]
    return visualBoxes.includes(name) ? [box(name, inner)] : []
  })
  return box(type, fields, ...boxes)
}

const audioEntry = (type: string, content: Buffer): Buffer => {
  const esds = esdsOf(content.subarray(audioBoxesAt(content)))
  if (esds === undefined) throw new CannotRemux('has sound without its configuration')
  const fields = Buffer.from(content.subarray(0, 28))
  if (fields.readUInt16BE(8) === 2) {
    fields.writeUInt16BE(Math.min(content.readUInt32BE(40), 0xffff), 16)
    fields.writeUInt32BE(Math.min(content.readDoubleBE(32), 0xffff) * 65_536, 24)
  }
  fields.fill(0, 8, 16)
  fields.writeUInt16BE(16, 18)
  // The compression ID and packet size of QuickTime.
  fields.fill(0, 20, 24)
  return box(type, fields, box('esds', esds))
}

/** A sample entry of QuickTime as MP4 has it (ISO 14496-12, 12.1.3 and 12.2.3; ISO 14496-14, 5.6). */
export const mp4SampleEntry = ({ type, content }: { type: string; content: Buffer }): Buffer =>
  type === 'mp4a' ? audioEntry(type, content) : visualEntry(type, content)
