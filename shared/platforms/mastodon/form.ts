import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  visibility: {
    label: 'Who can see it',
    choices: { public: 'Public', unlisted: 'Quiet public', private: 'Followers' },
  },
  spoilerText: { label: 'Content warning' },
  isSensitive: { label: 'Hide photos and videos', choices: { true: 'Yes', false: 'No' } },
  poll: {
    label: 'Poll',
    fields: {
      options: { label: 'Choices', item: 'Choice' },
      durationSeconds: {
        label: 'Length',
        choices: { 3600: '1 hour', 21600: '6 hours', 86400: '1 day', 259200: '3 days', 604800: '7 days' },
        default: 86_400,
      },
      isMultiple: { label: 'People can choose several', default: false },
      hidesTotals: { label: 'Hide votes until it ends', default: false },
    },
  },
  language: { label: 'Language', help: 'A language code, such as en.' },
}
