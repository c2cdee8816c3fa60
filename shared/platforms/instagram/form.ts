import { aiLabel, type PlatformForm } from '../form.ts'

const ofReels = { format: ['reel'] }

export const form: PlatformForm = {
  format: {
    label: 'Format',
    choices: { feed_image: 'Photo', carousel: 'Carousel', reel: 'Reel', story: 'Story' },
  },
  collaborators: { label: 'Invite collaborators', help: 'Up to three accounts, one per line.' },
  userTags: {
    label: 'Tag people',
    item: 'Tag',
    fields: {
      username: { label: 'Account' },
      x: { label: 'From the left', help: '0 to 1. On photos only.' },
      y: { label: 'From the top', help: '0 to 1. On photos only.' },
      mediaIndex: { label: 'File of the carousel', help: 'The first file is 0.' },
    },
  },
  coverMediaAssetId: { label: 'Cover image', when: ofReels },
  thumbOffset: { label: 'Cover frame (ms)', when: ofReels },
  shareToFeed: { label: 'Share to the feed as well', when: ofReels, choices: { true: 'Yes', false: 'No' } },
  audioName: { label: 'Audio name', when: ofReels },
  trialParams: {
    label: 'Trial reel',
    when: ofReels,
    fields: {
      graduationStrategy: {
        label: 'Who ends the trial',
        choices: { MANUAL: 'You, in the app', SS_PERFORMANCE: 'Instagram, if the reel performs well' },
        default: 'MANUAL',
      },
    },
  },
  isAiGenerated: aiLabel,
  caption: 'hidden',
  altText: 'hidden',
}
