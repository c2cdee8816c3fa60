/** Channel types of Discord that the seeds use. */
export const channelTypes = { text: 0, voice: 2, category: 4, announcement: 5 } as const

export interface DiscordChannel {
  readonly id: string
  readonly name: string
  readonly type: (typeof channelTypes)[keyof typeof channelTypes]
  readonly position: number
  readonly parentId: string | null
  readonly nsfw: boolean
  /** The bot's rights there: everything, only viewing, or not even that. */
  readonly bot: 'writes' | 'sees' | 'shut out'
}

const communityId = '1300000000000000100'

function channel(number: number, name: string, more: Partial<DiscordChannel> = {}): DiscordChannel {
  const id = `13000000000000001${String(number).padStart(2, '0')}`
  return {
    id,
    name,
    type: channelTypes.text,
    position: number,
    parentId: communityId,
    nsfw: false,
    bot: 'writes',
    ...more,
  }
}

/** A user as Discord shows it next to a message. */
export const showUser = (user: { id: string; username: string; bot?: boolean }) => ({
  ...user,
  avatar: null,
  discriminator: '0000',
  public_flags: 0,
  flags: 0,
  global_name: null,
  primary_guild: null,
})

/** A channel as Discord shows it; voice channels contain their bitrate. */
export const showChannel = ({ parentId, bot: _rights, ...channel }: DiscordChannel) => ({
  ...channel,
  flags: 0,
  guild_id: discordSeed.guild.id,
  parent_id: parentId,
  ...(channel.type === channelTypes.voice ? { bitrate: 64_000, user_limit: 0, rtc_region: null } : {}),
})

/** The app as Discord shows it to its bot. */
export const showApplication = () => ({
  id: discordSeed.clientId,
  name: discordSeed.bot.username,
  icon: null,
  description: '',
  type: null,
  flags: 0,
  flags_new: '0',
  verify_key: '0'.repeat(64),
  bot_public: true,
  bot_require_code_grant: false,
  explicit_content_filter: 0,
  redirect_uris: [],
  interactions_endpoint_url: null,
  role_connections_verification_url: null,
  owner: showUser({ id: discordSeed.guild.ownerId, username: 'somebody' }),
  approximate_guild_count: 1,
  approximate_user_install_count: 0,
  approximate_user_authorization_count: 0,
  eligible_oauth2_scopes: [],
  team: null,
})

/** The server as Discord shows it (discord-api-spec, GuildWithCountsResponse): none of it is set up. */
export const showGuild = () => ({
  id: discordSeed.guild.id,
  name: discordSeed.guild.name,
  owner_id: discordSeed.guild.ownerId,
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  banner: null,
  features: [],
  emojis: [],
  stickers: [],
  roles: [],
  application_id: null,
  region: 'deprecated',
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 0,
  default_message_notifications: 0,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: 'en-US',
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  incidents_data: null,
})

/** The server, the bot and the application of the Discord stand-in. */
export const discordSeed = {
  botToken: 'local-bot.token.for-the-stand-in',
  clientId: '1300000000000000001',
  clientSecret: 'local-discord-client-secret',
  bot: { id: '1300000000000000001', username: 'Social Publishing', bot: true },
  guild: { id: '1300000000000000002', name: 'Demo Server', ownerId: '1300000000000000003' },
  channels: [
    channel(0, 'Community', { type: channelTypes.category, parentId: null }),
    channel(1, 'general'),
    channel(2, 'showcase'),
    channel(3, 'announcements', { type: channelTypes.announcement }),
    channel(4, 'Lounge', { type: channelTypes.voice }),
    channel(5, 'late-night', { nsfw: true }),
    channel(6, 'rules', { bot: 'sees' }),
    channel(7, 'staff', { bot: 'shut out' }),
  ] satisfies DiscordChannel[],
}
