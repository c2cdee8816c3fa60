import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_3pW9cN5vR1kH8mT6xB2dZ7qJ4',
  post: {
    shows: 'a reel',
    file: 'video',
    metadata: { format: 'reel' },
  },
}
