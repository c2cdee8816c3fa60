import { type MastodonPerson, mastodonSeed } from './seed.ts'

const version = '4.5.0'
const joined = '2026-01-05T00:00:00.000Z'

/** An account as shown next to its posts (Mastodon API, Account). */
export function showAccount({ id, name, username }: MastodonPerson) {
  const [url, files] = [`https://${mastodonSeed.server}/@${username}`, `https://files.${mastodonSeed.domain}`]
  const [avatar, header] = [`${files}/${id}.png`, `${files}/header.png`]
  return {
    id,
    username,
    acct: username,
    display_name: name,
    url,
    uri: `https://${mastodonSeed.server}/users/${username}`,
    avatar,
    avatar_static: avatar,
    header,
    header_static: header,
    locked: false,
    bot: false,
    group: false,
    indexable: false,
    note: '',
    fields: [],
    emojis: [],
    followers_count: 0,
    following_count: 0,
    statuses_count: 0,
    created_at: joined,
  }
}

/** An account as its owner sees it (Mastodon API, CredentialAccount). */
export const showOwnAccount = (person: MastodonPerson) => ({
  ...showAccount(person),
  source: {
    note: '',
    fields: [],
    privacy: 'public',
    sensitive: false,
    language: null,
    follow_requests_count: 0,
    indexable: false,
  },
  role: { id: '-99', name: '', color: '', permissions: '65536', highlighted: false },
})

/** The server (Mastodon API, Instance), with the default limits of 4.5. */
export const showInstance = (supportedTypes: readonly string[]) => ({
  domain: mastodonSeed.domain,
  title: 'Mastodon',
  version,
  source_url: 'https://github.com/mastodon/mastodon',
  description: '',
  usage: { users: { active_month: mastodonSeed.people.length } },
  thumbnail: { url: `https://files.${mastodonSeed.domain}/thumbnail.png` },
  icon: [],
  languages: ['en'],
  configuration: {
    urls: {},
    accounts: { max_featured_tags: 10, max_pinned_statuses: 5 },
    statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
    media_attachments: {
      supported_mime_types: supportedTypes,
      image_size_limit: 16_777_216,
      image_matrix_limit: 33_177_600,
      video_size_limit: 103_809_024,
      video_frame_rate_limit: 120,
      video_matrix_limit: 8_294_400,
    },
    polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
    translation: { enabled: false },
  },
  registrations: { enabled: false, approval_required: false },
  api_versions: { mastodon: 7 },
  contact: { email: `admin@${mastodonSeed.domain}`, account: null },
  rules: [],
})

/** The server as clients before 4.0 read it (Mastodon API, V1::Instance). */
export const showFirstInstance = (supportedTypes: readonly string[]) => {
  const { title, description, languages, configuration, rules, contact } = showInstance(supportedTypes)
  const { statuses, media_attachments, polls, accounts } = configuration
  const [account] = mastodonSeed.people
  return {
    uri: mastodonSeed.domain,
    title,
    short_description: description,
    description,
    email: contact.email,
    version,
    languages,
    rules,
    urls: { streaming_api: `wss://${mastodonSeed.server}` },
    stats: { user_count: mastodonSeed.people.length, status_count: 0, domain_count: 1 },
    thumbnail: `https://files.${mastodonSeed.domain}/thumbnail.png`,
    registrations: false,
    approval_required: false,
    invites_enabled: false,
    configuration: {
      statuses,
      media_attachments,
      polls,
      accounts: { max_featured_tags: accounts.max_featured_tags },
    },
    contact_account: showAccount(account),
  }
}

/** The server's description for other programs (NodeInfo 2.0). */
export const showNodeInfo = () => ({
  version: '2.0',
  software: { name: 'mastodon', version },
  protocols: ['activitypub'],
  services: { outbound: [], inbound: [] },
  usage: { users: { total: mastodonSeed.people.length, activeMonth: 0, activeHalfyear: 0 }, localPosts: 0 },
  openRegistrations: false,
  metadata: {},
})
