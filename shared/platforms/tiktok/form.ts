import type { PlatformForm } from '../form.ts'

const ofPhotos = { format: ['photo'] }

export const form: PlatformForm = {
  privacyLevel: {
    label: 'Who can see it',
    choices: {
      PUBLIC_TO_EVERYONE: 'Everyone',
      MUTUAL_FOLLOW_FRIENDS: 'Friends',
      FOLLOWER_OF_CREATOR: 'Followers',
      SELF_ONLY: 'Only you',
    },
  },
  format: { label: 'Format', choices: { video: 'Video', photo: 'Photos' } },
  photoTitle: { label: 'Title', when: ofPhotos },
  photoCoverIndex: { label: 'Cover photo', help: 'The first photo is 0.', when: ofPhotos },
  videoCoverTimestampMs: { label: 'Cover frame (ms)' },
  disableComment: { label: 'Turn off comments', default: true },
  disableDuet: { label: 'Turn off duets', default: true },
  disableStitch: { label: 'Turn off stitches', default: true },
  brandContentToggle: { label: 'Label as paid partnership', default: false },
  brandOrganicToggle: { label: 'Label as promoting your own business', default: false },
  isAigc: { label: 'Label as AI-generated', default: false },
  postMode: {
    label: 'How to publish',
    choices: { DIRECT_POST: 'Publish it', MEDIA_UPLOAD: 'Send it to the app’s inbox to finish there' },
  },
  title: 'hidden',
}
