import { story } from './story.ts'

const { accounts, picture, video } = story

const content = 'Rye sourdough, fresh from the oven at seven.'

/** A valid post for each platform that takes metadata. */
export const metadataExamples = {
  bluesky: {
    summary: 'Metadata of Bluesky: the language of the text',
    value: { socialAccountIds: [accounts.bluesky], content, metadata: { bluesky: { langs: ['en'] } } },
  },
  discord: {
    summary: 'Metadata of Discord: the channel',
    value: {
      socialAccountIds: [accounts.discord],
      content,
      metadata: { discord: { channelId: '1300000000000000101' } },
    },
  },
  threads: {
    summary: 'Metadata of Threads: a topic, and a long text',
    value: {
      socialAccountIds: [accounts.threads],
      content,
      metadata: { threads: { topicTag: 'Bread', textAttachment: { plaintext: 'The whole recipe, step by step.' } } },
    },
  },
  x: {
    summary: 'Metadata of X: a poll of a day',
    value: {
      socialAccountIds: [accounts.x],
      content,
      metadata: { x: { poll: { options: ['Rye', 'Spelt'], durationMinutes: 1440 } } },
    },
  },
  linkedin: {
    summary: 'Metadata of LinkedIn: a card of a link',
    value: {
      socialAccountIds: [accounts.linkedin],
      content,
      metadata: { linkedin: { article: { url: 'https://bakery.example/rye', title: 'Our rye sourdough' } } },
    },
  },
  mastodon: {
    summary: 'Metadata of Mastodon: a content warning, and who sees the post',
    value: {
      socialAccountIds: [accounts.mastodon],
      content,
      metadata: { mastodon: { spoilerText: 'Bread ahead', visibility: 'unlisted' } },
    },
  },
  wordpress: {
    summary: 'Metadata of WordPress: a title, a category, and tags',
    value: {
      socialAccountIds: [accounts.wordpress],
      content,
      metadata: { wordpress: { title: 'Fresh bread at 6', categories: ['News'], tags: ['rye', 'sourdough'] } },
    },
  },
  nostr: {
    summary: 'Metadata of Nostr: a content warning',
    value: {
      socialAccountIds: [accounts.nostr],
      content,
      metadata: { nostr: { contentWarning: 'Bread ahead' } },
    },
  },
  slack: {
    summary: 'Metadata of Slack: the channel',
    value: { socialAccountIds: [accounts.slack], content, metadata: { slack: { channelId: 'C0DEMO007' } } },
  },
  pinterest: {
    summary: 'Metadata of Pinterest: the board and the Pin',
    value: {
      socialAccountIds: [accounts.pinterest],
      content,
      mediaUrls: [picture],
      metadata: {
        pinterest: {
          boardId: '549755885171',
          title: 'Rye sourdough',
          description: 'Baked overnight in a wood-fired oven.',
          link: 'https://bakery.example/rye',
        },
      },
    },
  },
  reddit: {
    summary: 'Metadata of Reddit: a text in a subreddit',
    value: {
      socialAccountIds: [accounts.reddit],
      content,
      metadata: { reddit: { subreddit: 'test', title: 'How we bake rye sourdough', kind: 'self' } },
    },
  },
  facebook: {
    summary: 'Metadata of Facebook: a reel',
    value: {
      socialAccountIds: [accounts.facebook],
      content,
      mediaUrls: [video],
      metadata: { facebook: { format: 'reel' } },
    },
  },
  instagram: {
    summary: 'Metadata of Instagram: an image in the feed',
    value: {
      socialAccountIds: [accounts.instagram],
      content,
      mediaUrls: [picture],
      metadata: { instagram: { format: 'feed_image', altText: 'A loaf on a wooden board' } },
    },
  },
  tiktok: {
    summary: 'Metadata of TikTok: who sees the video, and comments that are allowed',
    value: {
      socialAccountIds: [accounts.tiktok],
      content,
      mediaUrls: [video],
      metadata: { tiktok: { privacyLevel: 'SELF_ONLY', disableComment: false } },
    },
  },
  youtube: {
    summary: 'Metadata of YouTube: the title and who sees the video',
    value: {
      socialAccountIds: [accounts.youtube],
      content,
      mediaUrls: [video],
      metadata: { youtube: { title: 'Rye sourdough in a minute', privacyStatus: 'unlisted', tags: ['bread'] } },
    },
  },
}
