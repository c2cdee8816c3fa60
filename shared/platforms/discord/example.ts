import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_7bQ4nX1kM8vR5tW2zG6cP9hJ3',
  post: {
    shows: 'the channel',
    metadata: { channelId: '1300000000000000101' },
  },
}
