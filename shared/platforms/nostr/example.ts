import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_8mZ3kV6tR1wB9xN4cH7pD2qJ5',
  post: {
    shows: 'a content warning',
    metadata: { contentWarning: 'Bread ahead' },
  },
}
