import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'

export interface MuxOptions {
  container: 'mp4' | 'mov'
  /** Where the index lies: before the pictures, behind them, or in fragments among them. */
  index: 'first' | 'last' | 'fragmented'
  rotation?: 0 | 90 | 180 | 270
}

/** The parameters of a stream of H.264 (ISO 14496-15, avcC), baseline, with sets that are not read here. */
const avcC = new Uint8Array([1, 66, 0, 30, 0xff, 0xe1, 0, 4, 0x67, 66, 0, 30, 1, 0, 4, 0x68, 0xce, 0x3c, 0x80])
/** One unit of a picture with its length before it. */
const picture = (size: number) => {
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(0, size - 4)
  bytes[4] = 0x65
  return bytes
}

const fps = 10
export const muxed = { width: 640, height: 360, seconds: 3 }

/** A film from another writer: made by a library, with undecodable pictures. */
export const mux = async ({ container, index, rotation = 0 }: MuxOptions): Promise<Buffer> => {
  const fastStart = { first: 'in-memory', last: false, fragmented: 'fragmented' } as const
  const options = { fastStart: fastStart[index] }
  const format = container === 'mp4' ? new Mp4OutputFormat(options) : new MovOutputFormat(options)
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source, { rotation, frameRate: fps })
  await output.start()
  const { width: codedWidth, height: codedHeight, seconds } = muxed
  const decoderConfig = { codec: 'avc1.42001e', codedWidth, codedHeight, description: avcC }
  for (let n = 0; n < seconds * fps; n += 1) {
    const packet = new EncodedPacket(picture(64), n % fps === 0 ? 'key' : 'delta', n / fps, 1 / fps)
    await source.add(packet, n === 0 ? { decoderConfig } : undefined)
  }
  await output.finalize()
  if (target.buffer === null) throw new Error('the library wrote no film')
  return Buffer.from(target.buffer)
}
