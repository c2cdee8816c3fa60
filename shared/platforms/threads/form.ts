import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  poll: { label: 'Poll', fields: { options: { label: 'Choices', item: 'Choice' } } },
  topicTag: { label: 'Topic' },
  replyControl: {
    label: 'Who can reply',
    choices: {
      everyone: 'Everyone',
      accounts_you_follow: 'Accounts you follow',
      followers_only: 'Your followers',
      mentioned_only: 'People you mention',
      parent_post_author_only: 'The author of the post you reply to',
    },
  },
  linkAttachment: { label: 'Link card', help: 'By default, the first link of your text.' },
  quotePostId: { label: 'Quote a post', help: 'The number that Threads gave the post.' },
  textAttachment: {
    label: 'Long text',
    fields: { plaintext: { label: 'Text' }, linkUrl: { label: 'Link' } },
  },
  isSpoilerMedia: { label: 'Mark photos and videos as spoilers', default: false },
}
