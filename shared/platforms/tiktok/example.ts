import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_7xR4mH1pV9kC6tN3wB8dQ5zJ2',
  post: {
    shows: 'who sees the video, and comments that are allowed',
    file: 'video',
    metadata: { privacyLevel: 'SELF_ONLY', disableComment: false },
  },
}
