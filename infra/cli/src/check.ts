import type { Client } from '../../client/src/index.ts'
import type { Cli } from './cli.ts'

type Request = Parameters<Client['posts']['validate']>[0]
export type Issue = Awaited<ReturnType<Client['posts']['validate']>>['issues'][number]

/** Files that are not uploaded yet cannot be checked by the service. */
const isAboutFiles = ({ code, field }: Issue) => code.startsWith('media_') || field?.startsWith('mediaUrls') === true

/** What the service would refuse in a post. `hasFiles`: files of this machine are still to be uploaded for it. */
export const issuesOf = async (cli: Cli, client: Client, request: Request, hasFiles: boolean): Promise<Issue[]> => {
  const { issues } = await client.posts.validate(request, { signal: cli.stopped })
  return issues.filter((issue) => !hasFiles || !(isAboutFiles(issue) || issue.code === 'content_empty'))
}
