import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_2mT8wC4rJ6yN1pK9dV3sH7qL5',
  post: {
    shows: 'a poll of a day',
    metadata: { poll: { options: ['Rye', 'Spelt'], durationMinutes: 1440 } },
  },
}
