import { captionsForm, type PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  external: {
    label: 'Link card',
    fields: {
      url: { label: 'Link' },
      title: { label: 'Title' },
      description: { label: 'Description' },
      thumbMediaAssetId: { label: 'Image' },
    },
  },
  quoteUri: { label: 'Quote a post', help: 'The at:// URI of the post.' },
  replyGate: {
    label: 'Who can reply',
    help: 'Everyone, if you choose none.',
    choices: { mentioned: 'People you mention', followers: 'Your followers', following: 'Accounts you follow' },
  },
  disableQuotes: { label: 'Turn off quote posts', default: false },
  labels: {
    label: 'Content warning',
    choices: { sexual: 'Suggestive', nudity: 'Nudity', porn: 'Adult content', 'graphic-media': 'Graphic media' },
  },
  langs: { label: 'Languages', help: 'Up to three language tags, one per line, such as en or pt-BR.' },
  captions: captionsForm,
}
