import type { Command } from 'commander'
import type { MediaAsset } from '../../../javascript/src/index.ts'
import type { Cli } from '../cli.ts'
import { Usage } from '../errors.ts'
import { addGroup, addList } from '../group.ts'
import { limitOption, repeatedOption } from '../options.ts'
import { openWorkspace } from '../session.ts'
import { assertFile, uploadFile } from '../upload.ts'

const show = ({ out }: Cli, assets: readonly MediaAsset[]) =>
  out.table<MediaAsset>(
    {
      ID: ({ id }) => id,
      TYPE: ({ mimeType }) => mimeType,
      SIZE: ({ fileSize }) => String(fileSize),
      NAME: ({ originalFilename }) => originalFilename ?? '',
    },
    assets,
  )

const list = async (cli: Cli, { limit }: { limit: number }): Promise<void> => {
  const { client } = await openWorkspace(cli)
  const assets: MediaAsset[] = []
  for await (const asset of client.media.list.all({ limit: Math.min(limit, 200) }, { signal: cli.stopped })) {
    assets.push(asset)
    if (assets.length === limit) break
  }
  cli.out.result(assets, () => show(cli, assets))
}

const upload = async (cli: Cli, paths: readonly string[], { alt = [] }: { alt?: string[] }): Promise<void> => {
  for (const path of paths) assertFile(path)
  if (alt.length > paths.length)
    throw new Usage('Each --alt belongs to one file, in the same order. There are more of them.')
  const { client } = await openWorkspace(cli)
  const assets: MediaAsset[] = []
  for (const [at, path] of paths.entries()) assets.push(await uploadFile(cli, client, path, alt[at]))
  cli.out.result(assets, () => show(cli, assets))
}

export const addMedia = (program: Command, cli: Cli): void => {
  const group = addGroup(program, 'media', 'upload images, videos, documents, and captions, and list them', [
    'social media upload cat.jpg --alt "A cat in the sun"',
    'social media upload *.mp4 --json',
  ])
  addList(group, 'list files, the newest first')
    .addOption(limitOption(50))
    .action((options: { limit: number }) => list(cli, options))
  group
    .command('upload')
    .description('Uploads files to the library of the workspace, with a progress bar.')
    .argument('<files...>', 'JPEG, PNG, GIF, WebP, MP4, MOV, or WebM')
    .addOption(repeatedOption('--alt <text>', 'alternative text of a file, in order'))
    .action((paths: string[], options: { alt?: string[] }) => upload(cli, paths, options))
}
