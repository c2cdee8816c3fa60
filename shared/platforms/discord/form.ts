import type { FormField, PlatformForm } from '../form.ts'

const imageForm = (label: string): FormField => ({ label, fields: { url: { label: 'Image URL' } } })

export const form: PlatformForm = {
  channelId: { label: 'Channel' },
  poll: {
    label: 'Poll',
    fields: {
      question: { label: 'Question' },
      answers: { label: 'Choices', item: 'Choice' },
      durationHours: {
        label: 'Length',
        choices: { 1: '1 hour', 4: '4 hours', 8: '8 hours', 24: '1 day', 72: '3 days', 168: '1 week', 336: '2 weeks' },
      },
      isMultiselect: { label: 'People can choose several', default: false },
    },
  },
  embeds: {
    label: 'Embeds',
    item: 'Embed',
    fields: {
      title: { label: 'Title' },
      description: { label: 'Text' },
      url: { label: 'Link' },
      color: { label: 'Color', help: 'A number from 0 to 16777215.' },
      author: {
        label: 'Author',
        fields: { name: { label: 'Name' }, url: { label: 'Link' }, iconUrl: { label: 'Icon URL' } },
      },
      fields: {
        label: 'Fields',
        item: 'Field',
        fields: {
          name: { label: 'Name' },
          value: { label: 'Text' },
          inline: { label: 'Side by side', default: false },
        },
      },
      image: imageForm('Image'),
      thumbnail: imageForm('Thumbnail'),
      footer: { label: 'Footer', fields: { text: { label: 'Text' }, iconUrl: { label: 'Icon URL' } } },
    },
  },
  channelName: 'hidden',
}
