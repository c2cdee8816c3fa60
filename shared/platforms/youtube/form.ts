import { captionsForm, type PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  title: { label: 'Title', help: 'By default, the first line of your text.' },
  privacyStatus: {
    label: 'Who can see it',
    choices: { public: 'Public', unlisted: 'Unlisted', private: 'Private' },
  },
  thumbnailMediaAssetId: { label: 'Thumbnail', help: 'Verified channels only.' },
  playlistId: { label: 'Playlist', help: 'What its URL has after list=.' },
  tags: { label: 'Tags', help: 'One per line.' },
  categoryId: { label: 'Category', help: 'The number of a YouTube category.' },
  defaultLanguage: { label: 'Language', help: 'A language tag, such as en or pt-BR.' },
  madeForKids: { label: 'Made for kids', default: false },
  notifySubscribers: { label: 'Notify subscribers', default: true },
  containsSyntheticMedia: { label: 'Label as altered or AI-generated', choices: { true: 'Yes', false: 'No' } },
  hasPaidProductPlacement: { label: 'Includes paid promotion', choices: { true: 'Yes', false: 'No' } },
  captions: captionsForm,
}
