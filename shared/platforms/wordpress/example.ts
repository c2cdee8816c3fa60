import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_6kR2wX9mT4vC7nB1pH8dQ5zG3',
  post: {
    shows: 'a title, a category, and tags',
    metadata: { title: 'Fresh bread at 6', categories: ['News'], tags: ['rye', 'sourdough'] },
  },
}
