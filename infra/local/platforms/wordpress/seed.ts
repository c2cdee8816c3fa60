export interface WordPressUser {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly applicationPassword: string
  readonly capabilities: Readonly<Record<string, boolean>>
}

const author = { read: true, edit_posts: true, publish_posts: true, upload_files: true }
const editor = { ...author, edit_others_posts: true, manage_categories: true }

/** The WordPress stand-in: one site, which also responds below `/blog`, with its users. */
export const wordpressSeed = {
  /** What people enter as their site; the local service routes each of them to the stand-in. */
  site: 'blog.wordpress.test',
  categories: ['Uncategorized', 'Bread &amp; cakes', 'News'],
  users: [
    { id: 2, name: 'Demo', username: 'demo', applicationPassword: 'demo1demo2demo3demo4demo', capabilities: editor },
    {
      id: 3,
      name: 'Second Demo',
      username: 'second',
      applicationPassword: 'seco1seco2seco3seco4seco',
      capabilities: author,
    },
    {
      id: 4,
      name: 'Contributor',
      username: 'contributor',
      applicationPassword: 'cont1cont2cont3cont4cont',
      capabilities: { read: true, edit_posts: true },
    },
  ],
} as const satisfies { site: string; categories: readonly string[]; users: readonly WordPressUser[] }
