import { captionsForm, type PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  format: {
    label: 'Format',
    choices: { video: 'Video', reel: 'Reel', photo_story: 'Photo story', video_story: 'Video story' },
  },
  captions: { ...captionsForm, when: { format: ['video', 'reel'] } },
}
