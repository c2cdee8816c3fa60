import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_9cV3hN6wD2qT7mX5kR8zB1pG4',
  post: {
    shows: 'an image in the feed',
    file: 'picture',
    metadata: { format: 'feed_image', altText: 'A loaf on a wooden board' },
  },
}
