import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_8wN5qR2mH6kT9xC3vP7bZ1dJ4',
  post: {
    shows: 'a text in a subreddit',
    metadata: { subreddit: 'test', title: 'How we bake rye sourdough', kind: 'self' },
  },
}
