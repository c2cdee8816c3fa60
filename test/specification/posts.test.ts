import { holds } from './check.ts'
import { posts } from './posts.ts'

holds(posts)
