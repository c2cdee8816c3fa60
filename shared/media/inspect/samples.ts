import { invalidFile } from './invalid-file.ts'

/** The total duration of the samples of a track, from `stts` (ISO 14496-12, 8.6.1.2); undefined if there are none. */
export const sampleTicks = (table: Buffer | undefined): number | undefined => {
  if (table === undefined || table.length < 8) return undefined
  const runs = table.readUInt32BE(4)
  if (8 + runs * 8 > table.length) throw invalidFile('media_damaged', 'is a video whose sample table is cut off')
  let samples = 0
  let ticks = 0
  for (let n = 0; n < runs; n += 1) {
    const count = table.readUInt32BE(8 + n * 8)
    samples += count
    ticks += count * table.readUInt32BE(12 + n * 8)
  }
  return samples === 0 ? undefined : ticks
}
