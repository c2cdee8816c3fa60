import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  visibility: { label: 'Who can see it', choices: { PUBLIC: 'Public', CONNECTIONS: 'Connections only' } },
  article: {
    label: 'Link card',
    fields: {
      url: { label: 'Link' },
      title: { label: 'Title' },
      description: { label: 'Description' },
      thumbnailMediaAssetId: { label: 'Image' },
    },
  },
  poll: {
    label: 'Poll',
    fields: {
      question: { label: 'Question' },
      options: { label: 'Choices', item: 'Choice' },
      duration: {
        label: 'Length',
        choices: { ONE_DAY: '1 day', THREE_DAYS: '3 days', SEVEN_DAYS: '7 days', FOURTEEN_DAYS: '14 days' },
        default: 'SEVEN_DAYS',
      },
    },
  },
  mentions: {
    label: 'Mentions',
    item: 'Mention',
    fields: {
      name: { label: 'Name', help: 'As LinkedIn shows it. Your text has it after an @.' },
      organizationUrn: { label: 'Organization', help: 'urn:li:organization: and its number.' },
    },
  },
  documentTitle: { label: 'Document title', help: 'Required with a document.' },
  reshareUrn: { label: 'Repost', help: 'The urn:li:share:… or urn:li:ugcPost:… in the post’s URL.' },
}
