/**
 * The size of all chunks but the last. TikTok wants 5 to 64 MB, floor(size / chunk) of them, and the rest in the last
 * one; a file that gives one chunk only goes whole (Content Posting API, Media Transfer Guide). So the last chunk, which publishes, has always
 * less than twice this.
 */
const chunkBytes = 10_000_000

export interface ChunkPlan {
  chunkSize: number
  count: number
  /** Where the chunk begins that completes the video. */
  lastFrom: number
}

export const planChunks = (videoSize: number): ChunkPlan => {
  const count = Math.floor(videoSize / chunkBytes)
  if (count <= 1) return { chunkSize: videoSize, count: 1, lastFrom: 0 }
  return { chunkSize: chunkBytes, count, lastFrom: (count - 1) * chunkBytes }
}
