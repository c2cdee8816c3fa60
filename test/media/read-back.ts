import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny'

const packetsOf = async (track: InputTrack) => {
  const packets: (readonly [number, number, string])[] = []
  for await (const { timestamp, duration, data } of new EncodedPacketSink(track).packets()) {
    packets.push([timestamp, duration, Buffer.from(data).toString('hex')])
  }
  return packets
}

/** What an independent library reads of a film: its container, and each sample with its time and its bytes. */
export const readBack = async (film: Buffer) => {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(new Uint8Array(film)) })
  const tracks = await input.getTracks()
  const format = await input.getMimeType()
  return { container: format.split(';')[0], tracks: await Promise.all(tracks.map(packetsOf)) }
}
