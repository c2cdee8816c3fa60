export interface RedditPerson {
  readonly id: string
  readonly name: string
}

export interface RedditFlair {
  readonly id: string
  readonly text: string
  readonly text_editable: boolean
  readonly mod_only: boolean
}

export interface Subreddit {
  readonly name: string
  /** Public, or restricted to approved users. */
  readonly open: boolean
  readonly flairs: readonly RedditFlair[]
  /** In addition to the fields that are always null. */
  readonly rules: Readonly<Record<string, unknown>>
}

const flair = (number: number, text: string, more: Partial<RedditFlair> = {}): RedditFlair => ({
  id: `0f1a1r00-0000-4000-8000-00000000000${number}`,
  text,
  text_editable: false,
  mod_only: false,
  ...more,
})

/** The app, the people and the subreddits of the Reddit stand-in. */
export const redditSeed = {
  app: { clientId: 'local-reddit-app', clientSecret: 'local-reddit-client-secret', redditUser: 'demo_operator' },
  people: [
    { id: 'demo1', name: 'demo_writer' },
    { id: 'demo2', name: 'second_writer' },
  ] satisfies readonly [RedditPerson, ...RedditPerson[]],
  subreddits: [
    { name: 'test', open: true, flairs: [], rules: {} },
    {
      name: 'flaired',
      open: true,
      flairs: [
        flair(1, 'Discussion'),
        flair(2, 'Your own words', { text_editable: true }),
        flair(3, 'Announcement', { mod_only: true }),
      ],
      rules: { is_flair_required: true },
    },
    {
      name: 'strict',
      open: true,
      flairs: [],
      rules: {
        title_text_min_length: 10,
        title_text_max_length: 60,
        title_required_strings: ['[Recipe]', '[Question]'],
        title_blacklisted_strings: ['giveaway'],
        body_restriction_policy: 'required',
        body_text_min_length: 20,
        link_restriction_policy: 'whitelist',
        domain_whitelist: ['example.com'],
      },
    },
    { name: 'closed', open: false, flairs: [], rules: {} },
  ] satisfies readonly Subreddit[],
} as const
