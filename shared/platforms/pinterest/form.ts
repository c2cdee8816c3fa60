import type { PlatformForm } from '../form.ts'

const ofVideos = { format: ['video'] }

export const form: PlatformForm = {
  boardId: { label: 'Board' },
  title: { label: 'Title' },
  format: { label: 'Format', choices: { video: 'Video', carousel: 'Carousel' } },
  link: { label: 'Link' },
  boardSectionId: { label: 'Board section', help: 'The number of the section.' },
  coverMediaAssetId: { label: 'Cover image', when: ofVideos },
  coverImageKeyFrameTime: { label: 'Cover frame (seconds)', when: ofVideos },
  description: 'hidden',
  boardName: 'hidden',
}
