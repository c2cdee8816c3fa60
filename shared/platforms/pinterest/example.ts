import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_6zH1tV8kP3mD5wR9nB4cX7qG2',
  post: {
    shows: 'the board and the Pin',
    file: 'picture',
    metadata: {
      boardId: '549755885171',
      title: 'Rye sourdough',
      description: 'Baked overnight in a wood-fired oven.',
      link: 'https://bakery.example/rye',
    },
  },
}
