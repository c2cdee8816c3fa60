import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_9nB6wT3kR8vM5hX1pC7qD4zG2',
  post: {
    shows: 'the title and who sees the video',
    file: 'video',
    metadata: { title: 'Rye sourdough in a minute', privacyStatus: 'unlisted', tags: ['bread'] },
  },
}
