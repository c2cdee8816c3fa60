import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_1kD6vM9tB4pX7hW2nR5qC8zG3',
  post: {
    shows: 'the channel',
    metadata: { channelId: 'C0DEMO007' },
  },
}
