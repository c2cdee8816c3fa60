import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = {
  account: 'acc_5vT2nK8cX4wD7qM1hP9rB6zG3',
  post: {
    shows: 'a topic, and a long text',
    metadata: { topicTag: 'Bread', textAttachment: { plaintext: 'The whole recipe, step by step.' } },
  },
}
