import { keepMedia } from '../graph/containers.ts'
import { fetchMedia } from '../graph/fetch-media.ts'
import { refuse } from '../graph/refuse.ts'
import type { PublicMedia, SimulatorContext } from '../standin.ts'

const imageBytes = 8 * 1024 * 1024

/** Fetches an image and checks it as Instagram does: only JPEG, and in the feed no extreme aspect ratios. */
export async function fetchImage(
  context: SimulatorContext,
  address: string,
  { alt = '', anyShape = false }: { alt?: string | undefined; anyShape?: boolean },
): Promise<PublicMedia> {
  const file = await fetchMedia(address)
  if (file.kind === 'unreachable') {
    const message = `Only photo or video can be accepted as media type: the URI could not be fetched, ${file.why}`
    return refuse({ code: 9004, subcode: 2207052, message })
  }
  if (file.type !== 'image/jpeg') {
    return refuse({ code: 36001, subcode: 2207005, message: `The image format ${file.type} is not supported` })
  }
  if (file.bytes.length > imageBytes) {
    return refuse({ code: 36000, subcode: 2207004, message: 'The image is too large to download: at most 8 MiB' })
  }
  // The limits have two decimals: 1200 × 628 is 1.9108:1.
  const aspect = Math.round((file.aspect ?? 1) * 100) / 100
  if (!anyShape && (aspect < 0.8 || aspect > 1.91)) {
    return refuse({ code: 36003, subcode: 2207009, message: `The aspect ratio ${aspect} is not supported` })
  }
  return keepMedia(context, file, alt)
}

/** Fetches a video; its errors show later, in the state of its container. */
export async function fetchVideo(
  context: SimulatorContext,
  address: string,
  maxBytes: number,
): Promise<{ media: PublicMedia[]; failure: string | null }> {
  const file = await fetchMedia(address)
  if (file.kind === 'unreachable') {
    return { media: [], failure: 'Error: The media could not be downloaded, error code 2207077' }
  }
  const media = [keepMedia(context, file, '')]
  const taken = file.type.startsWith('video/') && file.bytes.length <= maxBytes
  return { media, failure: taken ? null : 'Error: The video format is not supported, error code 2207026' }
}
