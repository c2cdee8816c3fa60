import type { Answer } from '../../pages/server.ts'
import { type Call, Refused, type Route } from '../standin.ts'
import type { Door } from './login.ts'
import { refuse } from './refuse.ts'
import { redditSeed, type Subreddit } from './seed.ts'

const noRules = {
  is_flair_required: false,
  title_text_min_length: null,
  title_text_max_length: null,
  title_required_strings: [],
  title_blacklisted_strings: [],
  title_regexes: [],
  body_restriction_policy: 'none',
  body_text_min_length: null,
  body_text_max_length: null,
  body_required_strings: [],
  body_blacklisted_strings: [],
  body_regexes: [],
  link_restriction_policy: 'none',
  domain_whitelist: [],
  domain_blacklist: [],
  link_repost_age: null,
  guidelines_text: null,
}

export const findSubreddit = (name: string | undefined): Subreddit | undefined =>
  redditSeed.subreddits.find((subreddit) => subreddit.name.toLowerCase() === name?.toLowerCase())

/** The public data of a subreddit: its flairs and its rules. */
export function openSubreddits({ personOf }: Door): Route[] {
  function subredditOf(call: Call): Subreddit {
    personOf(call)
    const subreddit = findSubreddit(call.params['subreddit'])
    if (subreddit === undefined) {
      // The search page of the website.
      throw new Refused({ status: 302, headers: { location: 'https://www.reddit.com/subreddits/search' } })
    }
    return subreddit.open ? subreddit : refuse(403, 'Forbidden', 'private')
  }

  function flairs(call: Call): Answer {
    const { flairs: all } = subredditOf(call)
    // Where flairs are off, so is their list.
    if (all.length === 0) refuse(403, 'Forbidden')
    const details = { type: 'text', richtext: [], css_class: '', text_color: 'dark', max_emojis: 10 }
    return { status: 200, body: all.map((flair) => ({ ...flair, ...details })) }
  }

  function offered(call: Call): Answer {
    const all = subredditOf(call).flairs.filter((flair) => !flair.mod_only)
    if (all.length === 0) refuse(403, 'Forbidden')
    const choices = all.map(({ id, text, text_editable }) => ({
      flair_template_id: id,
      flair_text: text,
      flair_text_editable: text_editable,
    }))
    return { status: 200, body: { choices, current: {} } }
  }

  function requirements(call: Call): Answer {
    return { status: 200, body: { ...noRules, ...subredditOf(call).rules } }
  }

  return [
    { method: 'GET', path: '/r/:subreddit/api/link_flair_v2', operation: 'flairs', answer: flairs },
    { method: 'POST', path: '/r/:subreddit/api/flairselector', operation: 'flairSelector', answer: offered },
    { method: 'GET', path: '/api/v1/:subreddit/post_requirements', operation: 'requirements', answer: requirements },
  ]
}
