import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  contentWarning: { label: 'Content warning' },
  replyTo: { label: 'Reply to', help: 'nevent1…, note1…, or the ID of the post.' },
  quote: { label: 'Quote a post', help: 'nevent1…, note1…, or the ID of the post.' },
}
