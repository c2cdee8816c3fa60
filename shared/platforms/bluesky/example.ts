import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_5hJ2kQ9mZ7xW1vB4nT8rY3cF6',
  post: {
    shows: 'the language of the text',
    metadata: { langs: ['en'] },
  },
}
