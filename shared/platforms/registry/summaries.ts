// `npm run platforms` writes this file.
export const summaries = {
  x: { name: 'X', fullName: 'X', hasThreads: true },
  bluesky: { name: 'Bluesky', fullName: 'Bluesky', hasThreads: true },
  threads: { name: 'Threads', fullName: 'Threads', hasThreads: true },
  linkedin: { name: 'LinkedIn', fullName: 'LinkedIn', hasThreads: false },
  instagram: { name: 'Instagram', fullName: 'Instagram', hasThreads: false },
  tiktok: { name: 'TikTok', fullName: 'TikTok', hasThreads: false },
  facebook: { name: 'Facebook', fullName: 'Facebook Pages', hasThreads: false },
  pinterest: { name: 'Pinterest', fullName: 'Pinterest', hasThreads: false },
  youtube: { name: 'YouTube', fullName: 'YouTube', hasThreads: false },
  reddit: { name: 'Reddit', fullName: 'Reddit', hasThreads: false },
  discord: { name: 'Discord', fullName: 'Discord', hasThreads: false },
  slack: { name: 'Slack', fullName: 'Slack', hasThreads: false },
  mastodon: { name: 'Mastodon', fullName: 'Mastodon', hasThreads: true },
  wordpress: { name: 'WordPress', fullName: 'WordPress', hasThreads: false },
  nostr: { name: 'Nostr', fullName: 'Nostr', hasThreads: true },
}
