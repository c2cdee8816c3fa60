import type { Client } from '../../javascript/src/index.ts'
import type { Cli } from './cli.ts'

type Request = Parameters<Client['posts']['validate']>[0]
type Checked = Awaited<ReturnType<Client['posts']['validate']>>
export type Issue = Checked['issues'][number]
export type Warning = Checked['warnings'][number]

/** Files that are not uploaded yet cannot be checked by the service. */
const isAboutFiles = ({ code, field }: Issue) => code.startsWith('media_') || field?.startsWith('mediaUrls') === true

/** What the service would refuse in a post, or warn about. `hasFiles`: local files are still to be uploaded. */
export const checkPost = async (cli: Cli, client: Client, request: Request, hasFiles: boolean): Promise<Checked> => {
  const checked = await client.posts.validate(request, { signal: cli.stopped })
  const issues = checked.issues.filter((issue) => !hasFiles || !(isAboutFiles(issue) || issue.code === 'content_empty'))
  return { ...checked, issues }
}
