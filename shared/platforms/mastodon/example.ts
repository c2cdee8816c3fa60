import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_2vC7mX4kT9wR6nB1pH8dQ5zG3',
  post: {
    shows: 'a content warning, and who sees the post',
    metadata: { spoilerText: 'Bread ahead', visibility: 'unlisted' },
  },
}
