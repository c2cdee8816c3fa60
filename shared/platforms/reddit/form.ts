import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  subreddit: { label: 'Subreddit' },
  title: { label: 'Title' },
  kind: {
    label: 'Type',
    choices: { self: 'Text', link: 'Link', image: 'Image', video: 'Video', crosspost: 'Crosspost' },
  },
  url: { label: 'Link', when: { kind: ['link'] } },
  crosspostFullname: {
    label: 'Post to crosspost',
    help: 't3_ and what its URL has after comments/.',
    when: { kind: ['crosspost'] },
  },
  format: { label: 'Images', choices: { gallery: 'Gallery' }, when: { kind: ['image'] } },
  captions: {
    label: 'Gallery captions',
    help: 'One per line, in the order of the images.',
    when: { format: ['gallery'] },
  },
  flairId: { label: 'Flair' },
  flairText: { label: 'Flair text' },
  poll: {
    label: 'Poll',
    when: { kind: ['self'] },
    fields: {
      options: { label: 'Choices', item: 'Choice' },
      durationDays: {
        label: 'Length',
        choices: { 1: '1 day', 2: '2 days', 3: '3 days', 4: '4 days', 5: '5 days', 6: '6 days', 7: '7 days' },
        default: 3,
      },
    },
  },
  posterMediaAssetId: { label: 'Video poster', when: { kind: ['video'] } },
  nsfw: { label: 'Mark as NSFW', default: false },
  spoiler: { label: 'Mark as spoiler', default: false },
  sendReplies: { label: 'Get replies in the inbox', default: true },
  resubmit: { label: 'Post the link again if it was posted before', default: false, when: { kind: ['link'] } },
  body: 'hidden',
}
