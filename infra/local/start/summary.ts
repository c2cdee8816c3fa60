import type { Demo } from '../demo/seed.ts'
import { blueskySeed } from '../platforms/bluesky/seed.ts'
import type { Service } from '../service.ts'

const curlFor = ({ baseUrl }: Service, { pat, workspaceId, accounts }: Demo): string =>
  [
    `curl -s -X POST ${baseUrl}/api/posts/publish-now`,
    `-H 'Authorization: Bearer ${pat}'`,
    `-H 'X-Workspace-Id: ${workspaceId}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify({ socialAccountIds: [accounts['bluesky']], content: 'Hello from curl' })}'`,
  ].join(' \\\n    ')

/** What a person needs to continue: all addresses, the credentials, and something to try. */
export const summarize = (service: Service, demo: Demo, logFile: string): string => `
The service is up.

  API        ${service.baseUrl}
  Console    ${service.baseUrl}/console
  Reference  ${service.baseUrl}/api/docs#${new URLSearchParams({ token: demo.pat, workspace: demo.workspaceId })}
  Assistants ${service.baseUrl}/api/mcp
  Sign-in    ${demo.user.email} / ${demo.user.password}
  Token      ${demo.pat}
  Workspace  ${demo.workspaceId}
  Bluesky    ${blueskySeed.account.handle} / ${blueskySeed.account.appPassword}
  Platforms  ${service.platformsUrl}
  Webhooks   ${service.inboxUrl}
  Event bus  ${service.inboxUrl}/bus
  Mail       ${service.inboxUrl}/mail
  Push       ${service.pushUrl}
  Log        ${logFile}

Publish something yourself, then look at the platforms page:

  ${curlFor(service, demo)}

`
