import { aiLabel, captionsForm, type PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  poll: {
    label: 'Poll',
    fields: {
      options: { label: 'Choices', item: 'Choice' },
      durationMinutes: {
        label: 'Length',
        choices: { 60: '1 hour', 360: '6 hours', 1440: '1 day', 4320: '3 days', 10080: '7 days' },
        default: 1440,
      },
    },
  },
  replySettings: {
    label: 'Who can reply',
    choices: {
      following: 'Accounts you follow',
      mentionedUsers: 'People you mention',
      subscribers: 'Your subscribers',
      verified: 'Verified accounts',
    },
  },
  madeWithAi: aiLabel,
  paidPartnership: { label: 'Label as paid partnership', default: false },
  communityId: { label: 'Community', help: 'The number at the end of the community’s URL.' },
  shareWithFollowers: { label: 'Share with your followers as well', default: false },
  captions: captionsForm,
}
