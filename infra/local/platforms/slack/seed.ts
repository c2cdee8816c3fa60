export interface SlackTeam {
  readonly id: string
  readonly name: string
  readonly domain: string
  /** Its app has token rotation on: tokens end after twelve hours. */
  readonly rotates: boolean
  readonly bot: { readonly userId: string; readonly botId: string }
}

export interface SlackChannel {
  readonly id: string
  readonly team: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isArchived: boolean
  /** Whether the app is a member before a person invites it. */
  readonly isMember: boolean
}

function channel(number: number, name: string, more: Partial<SlackChannel> = {}): SlackChannel {
  const id = `C0DEMO00${number}`
  return { id, team: 'T0DEMO001', name, isPrivate: false, isArchived: false, isMember: false, ...more }
}

/** The app, the workspaces and their channels of the Slack stand-in. */
export const slackSeed = {
  app: { clientId: '1600.1700', clientSecret: 'local-slack-client-secret' },
  teams: [
    {
      id: 'T0DEMO001',
      name: 'Acme',
      domain: 'acme',
      rotates: false,
      bot: { userId: 'U0DEMOBOT1', botId: 'B0DEMOBOT1' },
    },
    {
      id: 'T0DEMO002',
      name: 'Rotating',
      domain: 'rotating',
      rotates: true,
      bot: { userId: 'U0DEMOBOT2', botId: 'B0DEMOBOT2' },
    },
  ] satisfies readonly [SlackTeam, ...SlackTeam[]],
  channels: [
    channel(1, 'general', { isMember: true }),
    channel(2, 'random'),
    channel(3, 'attic', { isArchived: true }),
    channel(4, 'launch', { isPrivate: true, isMember: true }),
    channel(5, 'board', { isPrivate: true }),
    channel(6, 'showcase'),
    channel(7, 'general', { team: 'T0DEMO002', isMember: true }),
  ],
} as const
