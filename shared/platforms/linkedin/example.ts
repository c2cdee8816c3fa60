import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_4rK7pB2xW9nC6vJ1tM5hD8qZ3',
  post: {
    shows: 'a card of a link',
    metadata: { article: { url: 'https://bakery.example/rye', title: 'Our rye sourdough' } },
  },
}
