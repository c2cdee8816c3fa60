import type { PlatformForm } from '../form.ts'

export const form: PlatformForm = {
  channelId: { label: 'Channel' },
  format: { label: 'Text format', choices: { markdown: 'Markdown' } },
  threadTs: { label: 'Reply to', help: 'The ts of the message, such as 1719830400.000100.' },
  isBroadcast: { label: 'Show the reply in the channel as well', default: false },
  channelName: 'hidden',
  blocks: 'hidden',
}
