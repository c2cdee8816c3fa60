import { api } from '../store.ts'

export interface Choice {
  id: string
  name: string
}

/** None while the name of the subreddit is being typed, and where it has none. */
const readFlairs = async (of: { socialAccountId: string; subreddit: string }): Promise<Choice[]> => {
  const { choices } = await api()
    .socialAccounts.redditFlairOptions(of)
    .catch(() => ({ choices: [] }))
  return choices.map(({ id, text }) => ({ id, name: text }))
}

/** The fields whose values the platform lists; undefined while another field is needed for it. */
export const listed: Readonly<
  Record<
    string,
    (socialAccountId: string, block: Readonly<Record<string, unknown>>) => Promise<readonly Choice[]> | undefined
  >
> = {
  'discord.channelId': async (socialAccountId) =>
    (await api().socialAccounts.discordChannels({ socialAccountId })).channels,
  'slack.channelId': async (socialAccountId) =>
    (await api().socialAccounts.slackChannels({ socialAccountId })).channels,
  'pinterest.boardId': async (socialAccountId) =>
    (await api().socialAccounts.pinterestBoards({ socialAccountId })).boards,
  'reddit.flairId': (socialAccountId, { subreddit }) =>
    typeof subreddit === 'string' && subreddit !== '' ? readFlairs({ socialAccountId, subreddit }) : undefined,
}
